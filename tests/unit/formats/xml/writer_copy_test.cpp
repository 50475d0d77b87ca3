#include <boost/test/unit_test.hpp>

#include "xml_support.hpp"

using postbus::Buffer;
using postbus::Element;
using namespace postbus::xml;
using namespace postbus::xml::test;

namespace {

/// A copy of the element, or of its content, inside of <o:out xmlns:o='urn:o' xmlns='urn:out' xmlns:t='urn:out-t'>.
std::string copiedInto(Element element, bool content = false) {
    Buffer out;
    Writer writer;
    writer.begin(out);
    writer.start("urn:o", "out", "o");
    writer.declare("", "urn:out");
    writer.declare("t", "urn:out-t");
    content ? writer.copyContent(element) : writer.copy(element);
    writer.end();
    BOOST_REQUIRE(!!writer.finish());
    return std::string(out.view());
}

const std::string head = "<o:out xmlns:o=\"urn:o\" xmlns=\"urn:out\" xmlns:t=\"urn:out-t\">";

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_copy)

BOOST_AUTO_TEST_CASE(brings_what_qnames_in_content_rely_on) {
    const Tape tape = parsed(
        "<e:E xmlns:e='urn:e' xmlns:t='urn:t' xmlns:xsi='urn:xsi' xmlns='urn:d'><b xsi:type='t:T'>  mixed <c/>\n"
        "</b></e:E>");

    BOOST_TEST(copied(tape.root().firstChild()) ==
               "<b xmlns:e=\"urn:e\" xmlns:t=\"urn:t\" xmlns:xsi=\"urn:xsi\" xmlns=\"urn:d\" xsi:type=\"t:T\">  mixed "
               "<c/>\n</b>");
}

BOOST_AUTO_TEST_CASE(brings_only_what_the_output_lacks_or_binds_otherwise) {
    const Tape tape = parsed("<o:E xmlns:o='urn:o' xmlns:t='urn:t'><b>t:T</b></o:E>");

    BOOST_TEST(copiedInto(tape.root().firstChild()) == head + "<b xmlns:t=\"urn:t\" xmlns=\"\">t:T</b></o:out>");
    BOOST_TEST(copiedInto(parsed("<x xmlns='urn:out'/>").root()) == head + "<x/></o:out>");
    BOOST_TEST(copiedInto(parsed("<x xmlns='urn:in'/>").root()) == head + "<x xmlns=\"urn:in\"/></o:out>");
    BOOST_TEST(copiedInto(parsed("<t:x xmlns:t='urn:t' xmlns='urn:out'/>").root()) ==
               head + "<t:x xmlns:t=\"urn:t\"/></o:out>");
}

BOOST_AUTO_TEST_CASE(sees_the_innermost_of_redeclared_prefixes) {
    const Tape tape = parsed("<a xmlns:p='urn:1' xmlns='urn:d'><b xmlns:p='urn:2' xmlns=''><c x='p:q'/></b></a>");

    BOOST_TEST(copied(tape.root().firstChild().firstChild()) == "<c xmlns:p=\"urn:2\" x=\"p:q\"/>");
    BOOST_TEST(copied(tape.root().firstChild()) == "<b xmlns:p=\"urn:2\"><c x=\"p:q\"/></b>");
    BOOST_TEST(copied(tape.root()) ==
               "<a xmlns:p=\"urn:1\" xmlns=\"urn:d\"><b xmlns:p=\"urn:2\" xmlns=\"\"><c x=\"p:q\"/></b></a>");
}

BOOST_AUTO_TEST_CASE(of_content_gives_each_child_its_scope_and_text_as_it_is) {
    const Tape tape = parsed("<e:B xmlns:e='urn:e'> one <t:x xmlns:t='urn:t'/><!-- no --><![CDATA[<two>]]><y/></e:B>");

    BOOST_TEST(copiedInto(tape.root(), true) == head +
                                                    " one <t:x xmlns:t=\"urn:t\" xmlns:e=\"urn:e\" xmlns=\"\"/>"
                                                    "&lt;two&gt;<y xmlns:e=\"urn:e\" xmlns=\"\"/></o:out>");
    BOOST_TEST(copiedInto(parsed("<a/>").root(), true) ==
               "<o:out xmlns:o=\"urn:o\" xmlns=\"urn:out\" xmlns:t=\"urn:out-t\"/>");
}

BOOST_AUTO_TEST_CASE(keeps_every_detail_of_the_infoset) {
    for (const std::string_view document :
         {"<a xmlns='urn:a' x='&#13;&#10;&#9;&lt;&quot;'><b xmlns='' xmlns:a='urn:a'>&#13;<a:c/>]]&gt;</b></a>",
          "<p:a xmlns:p='urn:p'><p:a xmlns:p='urn:p'><p:a xmlns:p='urn:q' p:p='p:p'/></p:a></p:a>",
          "<a xml:lang='de' xml:space='preserve'>\n \t <b/> \n</a>",
          "<a xmlns:p='urn:x' xmlns:q='urn:x' p:x='1'><q:b/><p:b/></a>", "<a xmlns='urn:&lt;&amp;&#9;'><b/></a>",
          "<a>\xC2\x85\xE2\x80\xA8\xF0\x9F\x98\x80<![CDATA[]]]]><![CDATA[>]]></a>",
          "<a xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:id='x'/>", "<a x='' y='  z  '></a>"}) {
        const Tape tape = parsed(document);
        BOOST_TEST(dump(parsed(copied(tape.root()))) == dump(tape));
    }
}

BOOST_AUTO_TEST_CASE(is_as_deep_as_the_document) {
    std::string open, close;
    for (int i = 0; i < 5000; ++i) open += "<a>x", close += "</a>";
    Limits limits;
    limits.depth = 5000;
    Tape tape;
    BOOST_REQUIRE(!!parse(open + close, {}, limits, tape));

    BOOST_TEST((copied(tape.root()) == open + close));
}

BOOST_AUTO_TEST_CASE(of_a_tape_with_wrong_namespaces_is_well_formed_or_an_error) {
    // checkTape() does not see to prefixes: such a tape can come from elsewhere.
    const Tape tape = parsed("<p:a xmlns:p='urn:p' xmlns:q='urn:q' xmlns='urn:d'><b/><q:c q:x='1' x='1'/></p:a>");
    const postbus_tape& view = *tape.view();
    int written = 0;
    for (std::uint32_t node = 0; node < view.node_count; ++node) {
        for (std::uint32_t name = 0; name < view.name_count; ++name) {
            std::vector<postbus_node> nodes(view.nodes, view.nodes + view.node_count);
            if (nodes[node].kind == POSTBUS_NODE_TEXT) continue;
            nodes[node].name = name;
            postbus_tape other = view;
            other.nodes = nodes.data();
            Buffer out;
            Writer writer;
            writer.begin(out);
            writer.copy({&other, 0});
            if (!writer.finish()) continue;
            ++written;
            BOOST_TEST(refusal(out.view()) == "", out.view());
        }
    }
    BOOST_TEST(written > 20);
}

BOOST_AUTO_TEST_SUITE_END()
