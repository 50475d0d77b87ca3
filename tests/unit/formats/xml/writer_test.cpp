#include <boost/test/unit_test.hpp>

#include "xml_support.hpp"

using postbus::Buffer;
using namespace postbus::xml;
using namespace postbus::xml::test;

namespace {

/// A writer with its output.
struct Sheet : Writer {
    Buffer out;
    Sheet() { begin(out); }
    std::string written() { return std::string(out.view()); }
    std::string error() {
        const auto result = finish();
        return result ? std::string() : result.error().message();
    }
};

/// What comes out of the events, all of them closed; an error as its message.
template <class Events>
std::string writing(Events events) {
    Sheet sheet;
    events(sheet);
    while (sheet.depth() > 0 && sheet.error().find("is not closed") != std::string::npos) sheet.end();
    return sheet.error().empty() ? sheet.written() : sheet.error();
}

constexpr std::string_view xmlUri = "http://www.w3.org/XML/1998/namespace";

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_writer)

BOOST_AUTO_TEST_CASE(declares_what_is_not_in_scope_with_the_wished_prefix) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:a", "a", "p");
                   w.attribute("urn:b", "x", "q", "1");
                   w.start("urn:a", "b", "other");
                   w.start("", "c");
                   w.text("t");
                   w.end();
                   w.end();
                   w.start("urn:c", "d", "q");
               }) ==
               "<p:a xmlns:p=\"urn:a\" xmlns:q=\"urn:b\" q:x=\"1\"><p:b><c>t</c></p:b>"
               "<ns1:d xmlns:ns1=\"urn:c\"/></p:a>");
}

BOOST_AUTO_TEST_CASE(forgets_declarations_with_their_element) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("", "a");
                   for (int i = 0; i < 2; ++i) {
                       w.start("urn:b", "b", "p");
                       w.end();
                   }
                   w.start("urn:c", "c", "p");
               }) == "<a><p:b xmlns:p=\"urn:b\"/><p:b xmlns:p=\"urn:b\"/><p:c xmlns:p=\"urn:c\"/></a>");
}

BOOST_AUTO_TEST_CASE(takes_the_default_namespace_where_no_prefix_is_wished) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:a", "a");
                   w.start("urn:a", "b");
                   w.end();
                   w.start("", "c");
                   w.start("urn:a", "d");
                   w.attribute("urn:a", "x", "", "1");
                   w.attribute("", "y", "p", "2");
               }) ==
               "<a xmlns=\"urn:a\"><b/><c xmlns=\"\"><d xmlns=\"urn:a\" xmlns:ns1=\"urn:a\" ns1:x=\"1\" "
               "y=\"2\"/></c></a>");
}

BOOST_AUTO_TEST_CASE(does_not_take_a_prefix_that_has_another_meaning_meanwhile) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:a", "a", "p");
                   w.start("", "b");
                   w.declare("p", "urn:other");
                   w.start("urn:a", "c", "p");
               }) == "<p:a xmlns:p=\"urn:a\"><b xmlns:p=\"urn:other\"><ns1:c xmlns:ns1=\"urn:a\"/></b></p:a>");
    BOOST_TEST(writing([](Writer& w) {
                   w.start("", "a");
                   w.declare("ns1", "urn:1");
                   w.attribute("urn:2", "x", "ns1", "");
               }) == "<a xmlns:ns1=\"urn:1\" xmlns:ns2=\"urn:2\" ns2:x=\"\"/>");
}

BOOST_AUTO_TEST_CASE(declares_once_what_is_asked_for) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:a", "a", "p");
                   w.declare("p", "urn:a");
                   w.declare("q", "urn:q");
                   w.declare("q", "urn:q");
                   w.declare("", "");
                   w.start("", "b");
                   w.declare("q", "urn:q");
                   w.declare("xml", xmlUri);
                   w.start("urn:q", "c", "z");
                   w.declare("", "urn:default");
               }) == "<p:a xmlns:p=\"urn:a\" xmlns:q=\"urn:q\"><b><q:c xmlns=\"urn:default\"/></b></p:a>");
}

BOOST_AUTO_TEST_CASE(knows_the_prefix_xml) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start(xmlUri, "a", "p");
                   w.attribute(xmlUri, "lang", "", "de");
                   w.attribute("urn:x", "y", "xml", "1");
               }) == "<xml:a xml:lang=\"de\" xmlns:ns1=\"urn:x\" ns1:y=\"1\"/>");
}

BOOST_AUTO_TEST_CASE(escapes_what_would_not_survive) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:<&\">", "a", "p");
                   w.attribute("", "x", "", "<&>\"'\t\n\r]]>");
                   w.text("<&>\"'\t\n\r]]>");
               }) ==
               "<p:a xmlns:p=\"urn:&lt;&amp;&quot;&gt;\" x=\"&lt;&amp;&gt;&quot;'&#9;&#10;&#13;]]&gt;\">"
               "&lt;&amp;&gt;\"'\t\n&#13;]]&gt;</p:a>");
}

BOOST_AUTO_TEST_CASE(escapes_at_every_place_of_a_block) {
    for (std::size_t before = 0; before < 40; ++before) {
        const std::string text = std::string(before, 'x') + "&\xC3\xA4<" + std::string(20, 'y') + "\"";
        const std::string written = writing([&](Writer& w) {
            w.start("", "a");
            w.attribute("", "b", "", text);
            w.text(text);
        });

        BOOST_TEST(parsed(written).root().simpleText().value() == text);
        BOOST_TEST(parsed(written).root().attribute("", "b").value() == text);
    }
}

BOOST_AUTO_TEST_CASE(refuses_characters_that_xml_forbids) {
    using namespace std::string_literals;
    for (const std::string& bad : {"\x01"s, "\0"s, "\x0B"s, "\x1F"s, "\xC0\xAF"s, "\xED\xA0\x80"s, "\xEF\xBF\xBF"s,
                                   "\xFF"s, "\xC3"s, "\xF4\x90\x80\x80"s, "\x80"s}) {
        for (std::size_t before = 0; before < 20; ++before) {
            const std::string text = std::string(before, 'x') + bad;
            const auto fails = [&](auto events) {
                return writing(events).find("writing XML: a character that XML") == 0;
            };
            BOOST_TEST(fails([&](Writer& w) { w.start("", "a"), w.text(text); }));
            BOOST_TEST(fails([&](Writer& w) { w.start("", "a"), w.attribute("", "x", "", text + "y"); }));
            BOOST_TEST(fails([&](Writer& w) { w.start(text, "a"); }));
        }
    }
    BOOST_TEST(writing([](Writer& w) { w.start("", "a"), w.text("\x7F\xC2\x80\xEE\x80\x80\xEF\xBF\xBD"); }) ==
               "<a>\x7F\xC2\x80\xEE\x80\x80\xEF\xBF\xBD</a>");
}

BOOST_AUTO_TEST_CASE(refuses_names_that_are_none) {
    for (const std::string_view bad : {"", "1a", "a b", "a:b", "<a", "-a", "a\xC3\x97", "a/"}) {
        BOOST_TEST(writing([&](Writer& w) { w.start("", bad); }).find("writing XML: not the name") == 0u, bad);
        BOOST_TEST(writing([&](Writer& w) {
                       w.start("", "a"), w.attribute("", bad, "", "1");
                   }).find("writing XML: not the name") == 0u);
        if (bad.empty()) continue;
        BOOST_TEST(writing([&](Writer& w) { w.start("urn:a", "a", bad); }).find("writing XML: not a prefix") == 0u);
        BOOST_TEST(writing([&](Writer& w) { w.start("", "a"), w.declare(bad, "urn:x"); }).find("writing XML: not a") ==
                   0u);
    }
    BOOST_TEST(writing([](Writer& w) { w.start("", "\xC3\xA4-1.\xC2\xB7"); }) == "<\xC3\xA4-1.\xC2\xB7/>");
}

BOOST_AUTO_TEST_CASE(refuses_declarations_that_can_not_be) {
    const auto declaring = [](std::string_view prefix, std::string_view uri) {
        return writing([&](Writer& w) {
                   w.start("urn:a", "a", "p");
                   w.declare(prefix, uri);
               }).find("writing XML: ") == 0;
    };

    BOOST_TEST(declaring("p", "urn:b"));
    BOOST_TEST(declaring("q", ""));
    BOOST_TEST(declaring("xml", "urn:a"));
    BOOST_TEST(declaring("xmlns", "urn:a"));
    BOOST_TEST(declaring("q", xmlUri));
    BOOST_TEST(declaring("q", "http://www.w3.org/2000/xmlns/"));
    BOOST_TEST(writing([](Writer& w) { w.start("", "a"), w.declare("", "urn:a"); }).find("writing XML: ") == 0u);
    BOOST_TEST(writing([](Writer& w) { w.start("http://www.w3.org/2000/xmlns/", "a"); }).find("writing XML: ") == 0u);
    BOOST_TEST(writing([](Writer& w) { w.start("", "a"), w.attribute("", "xmlns", "", "x"); }).find("writing XML: ") ==
               0u);
    // The element's own prefix, from outside, must not get another meaning in its own tag.
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:a", "a", "p"), w.start("urn:a", "b", "p"), w.declare("p", "urn:b");
               }).find("writing XML: ") == 0u);
    BOOST_TEST(writing([](Writer& w) {
                   w.start("urn:a", "a", "p"), w.start("", "b"), w.attribute("urn:a", "x", "p", "1");
                   w.declare("p", "urn:b");
               }).find("writing XML: ") == 0u);
}

BOOST_AUTO_TEST_CASE(refuses_two_attributes_of_one_name) {
    BOOST_TEST(writing([](Writer& w) {
                   w.start("", "a"), w.attribute("", "x", "", "1"), w.attribute("", "x", "", "2");
               }) == "writing XML: two attributes of one name: 'x'");
    BOOST_TEST(writing([](Writer& w) {
                   w.start("", "a"), w.declare("p", "urn:p"), w.declare("q", "urn:p");
                   w.attribute("urn:p", "x", "p", "1"), w.attribute("urn:p", "x", "q", "2");
               }) == "writing XML: two attributes of one name: 'x'");
    BOOST_TEST(writing([](Writer& w) {
                   w.start("", "a"), w.attribute("", "x", "", "1"), w.attribute("urn:p", "x", "p", "2");
                   w.attribute("urn:q", "x", "q", "3"), w.attribute("", "y", "", "4");
               }) == "<a x=\"1\" xmlns:p=\"urn:p\" p:x=\"2\" xmlns:q=\"urn:q\" q:x=\"3\" y=\"4\"/>");
}

BOOST_AUTO_TEST_CASE(refuses_events_out_of_order_and_stays_with_the_first_error) {
    BOOST_TEST(writing([](Writer& w) { w.end(); }) == "writing XML: an end without a start");
    BOOST_TEST(writing([](Writer& w) { w.start("", "a"), w.text("t"), w.attribute("", "x", "", ""); }) ==
               "writing XML: an attribute that follows no start: 'x'");
    BOOST_TEST(writing([](Writer& w) { w.start("", "a"), w.text("t"), w.declare("p", "urn:p"); }) ==
               "writing XML: a declaration that follows no start: 'p'");
    Sheet sheet;
    sheet.start("", "a");
    BOOST_TEST(sheet.error() == "writing XML: the element 'a' is not closed");
    sheet.text("\x01");
    sheet.start("", "1");
    sheet.end();
    sheet.end();
    BOOST_TEST(sheet.error() == "writing XML: a character that XML does not allow in the text of 'a'");
    sheet.out.clear();
    sheet.begin(sheet.out);
    sheet.start("", "b");
    sheet.end();
    BOOST_TEST(sheet.error() == "");
    BOOST_TEST(sheet.written() == "<b/>");
}

BOOST_AUTO_TEST_CASE(appends_behind_what_is_there) {
    Buffer out(16, 64);
    out.append("head:");
    Writer writer;
    writer.begin(out);

    writer.start("urn:a", "a", "p");
    writer.text(std::string(5000, 'x'));
    writer.end();

    BOOST_TEST(!!writer.finish());
    BOOST_TEST(out.headroom() == 64u);
    BOOST_TEST(out.view().substr(0, 27) == "head:<p:a xmlns:p=\"urn:a\">x");
    BOOST_TEST(out.view().substr(out.size() - 6) == "</p:a>");
}

BOOST_AUTO_TEST_SUITE_END()
