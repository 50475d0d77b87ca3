#include <boost/test/unit_test.hpp>

#include "xml_support.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;

namespace {

constexpr std::string_view sayHi =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\">\n"
    "  <s:Body><h:sayHi xmlns:h=\"http://cxf.examples.servicemix.apache.org/\"><arg0>Ann</arg0></h:sayHi></s:Body>\n"
    "</s:Envelope>\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_parse)

BOOST_AUTO_TEST_CASE(gives_elements_with_their_namespaces_in_order) {
    const Tape tape = parsed(sayHi);

    const postbus::Element envelope = tape.root();
    BOOST_TEST(envelope.is("http://schemas.xmlsoap.org/soap/envelope/", "Envelope"));
    BOOST_TEST(envelope.prefix() == "s");
    BOOST_TEST(envelope.line() == 2u);
    const postbus::Element sayHi_ = envelope.firstChild().firstChild();
    BOOST_TEST(sayHi_.is("http://cxf.examples.servicemix.apache.org/", "sayHi"));
    BOOST_TEST(sayHi_.line() == 3u);
    BOOST_TEST(sayHi_.child("", "arg0").simpleText().value() == "Ann");
    BOOST_TEST(!sayHi_.firstChild().next());
    BOOST_TEST(sayHi_.lookup("s").value() == "http://schemas.xmlsoap.org/soap/envelope/");
}

BOOST_AUTO_TEST_CASE(joins_text_across_cdata_comments_and_references) {
    const Tape tape = parsed("<a>A<!-- x --><![CDATA[ & <b>]]>C&lt;&#x44;&amp;<!---->\r\nE<![CDATA[]]></a>");

    BOOST_TEST(tape.root().simpleText().value() == "A & <b>C<D&\nE");
}

BOOST_AUTO_TEST_CASE(reads_an_ampersand_in_attributes_and_namespaces_as_one_character) {
    const Tape tape = parsed("<p:a xmlns:p=\"urn:&amp;p\" x=\"1&amp;2&#38;3&amp;amp;\"/>");

    BOOST_TEST(tape.root().uri() == "urn:&p");
    BOOST_TEST(tape.root().attribute("", "x").value() == "1&2&3&amp;");
}

BOOST_AUTO_TEST_CASE(keeps_attributes_and_declarations_apart) {
    const Tape tape =
        parsed("<a x=\"1\" xmlns:p=\"urn:p\" p:x=\"2&quot;&#9;&#10;\n3\" xml:lang=\"de\" xmlns=\"urn:d\"/>");

    const postbus::Element a = tape.root();
    BOOST_TEST(a.uri() == "urn:d");
    BOOST_TEST(a.attribute("", "x").value() == "1");
    BOOST_TEST(a.attribute("urn:p", "x").value() == "2\"\t\n 3");
    BOOST_TEST(a.attribute("http://www.w3.org/XML/1998/namespace", "lang").value() == "de");
    BOOST_TEST(!a.attribute("urn:d", "x").has_value());
    BOOST_TEST(tape.view()->node_count == 6u);
}

BOOST_AUTO_TEST_CASE(resolves_references_in_values_and_namespaces) {
    const Tape tape = parsed(
        "<p:a xmlns:p='urn:&amp;&#38;#38;&amp;amp;' x='&amp;' y='&#38;lt;&amp;#38;&lt;&#x26;' "
        "z='&amp;amp;&quot;&apos;'/>");

    BOOST_TEST(tape.root().uri() == "urn:&&#38;&amp;");
    BOOST_TEST(tape.root().attribute("", "x").value() == "&");
    BOOST_TEST(tape.root().attribute("", "y").value() == "&lt;&#38;<&");
    BOOST_TEST(tape.root().attribute("", "z").value() == "&amp;\"'");
}

BOOST_AUTO_TEST_CASE(takes_namespace_names_that_are_no_uris) {
    for (const std::string_view uri :
         {"a b", "relative", "%zz", "http://[", "urn:\xC3\xA4", ":", "http://x/{y}|z", "^"})
        BOOST_TEST(parsed("<p:a xmlns:p='" + std::string(uri) + "'/>").root().uri() == uri);
}

BOOST_AUTO_TEST_CASE(takes_everything_that_xml_allows) {
    for (const std::string_view document : {"<a/>",
                                            "<a></a>",
                                            "<a />",
                                            "<a\n>\n</a\n>",
                                            " \n<!-- x --> <a/> <!-- y -->\n ",
                                            "<_/>",
                                            "<a.b-c_d/>",
                                            "<\xC3\xA4\xE6\x97\xA5/>",
                                            "<a x='>'/>",
                                            "<a>></a>",
                                            "<a>]] ></a>",
                                            "<a>\"'</a>",
                                            "<a x = 'y'  z=\"'\"/>",
                                            "<?xml version='1.0' standalone='yes' ?><a/>",
                                            "<?xml version=\"1.0\" encoding='utf-8' standalone=\"no\"?><a/>",
                                            "<a xml:lang='no such' xml:space='other'/>",
                                            "<a><![CDATA[<!DOCTYPE x> <?x ?> & ]] ]]></a>",
                                            "<a>\xEF\xBF\xBD</a>",
                                            "<a>&#x10FFFF;&#x9;&#65533;</a>",
                                            "<a><!-- <b> & -> <?x?> --></a>",
                                            "<xml/>",
                                            "<a xmlns:xmlx='urn:x' xmlx:y=''/>"})
        BOOST_TEST(refusal(document) == "", document);
}

BOOST_AUTO_TEST_CASE(normalises_line_ends_and_white_space_in_values) {
    const Tape tape = parsed("<a x='1\r\n2\r3\n4\t5&#13;&#10;'>1\r\n2\r3\n4&#13;<![CDATA[\r\n5\r\r6\n\r]]></a>");

    BOOST_TEST(tape.root().attribute("", "x").value() == "1 2 3 4 5\r\n");
    BOOST_TEST(tape.root().simpleText().value() == "1\n2\n3\n4\r\n5\n\n6\n\n");
}

BOOST_AUTO_TEST_CASE(drops_processing_instructions_where_that_is_asked_for) {
    Limits limits;
    limits.dropInstructions = true;
    Tape tape;

    BOOST_REQUIRE(parse("<?xml version='1.0'?><?style x='<a>'?><a>b<?x y?>c</a><?z?>", "", limits, tape));
    BOOST_TEST(tape.root().simpleText().value() == "bc");
    BOOST_TEST(!parse("<?xml version='1.0'?><!DOCTYPE a><a/>", "", limits, tape));
}

BOOST_AUTO_TEST_CASE(tells_the_line_of_each_element) {
    const Tape tape = parsed("<?xml version='1.0'?>\n\n<a>\r\n<b\n x='1'/>\n\n text\n<c/></a>");

    BOOST_TEST(tape.root().line() == 3u);
    BOOST_TEST(tape.root().firstChild().line() == 5u);  // where its tag ends
    BOOST_TEST(tape.root().firstChild().next().line() == 8u);
}

BOOST_AUTO_TEST_CASE(gives_nothing_of_a_document_before_after_an_error) {
    Tape tape = parsed(sayHi);

    BOOST_TEST(!parse("<a><b>", {}, {}, tape));

    BOOST_TEST(tape.empty());
    BOOST_TEST(!tape.root());
}

BOOST_AUTO_TEST_SUITE_END()
