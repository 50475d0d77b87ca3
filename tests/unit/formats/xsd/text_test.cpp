#include <boost/test/unit_test.hpp>

#include "formats/xsd/text.hpp"

using namespace postbus;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(xsd_text)

BOOST_AUTO_TEST_CASE(what_xml_forbids_becomes_a_question_mark) {
    BOOST_TEST(xsd::legalText("a\x0B"
                              "b") == "a?b");
    BOOST_TEST(xsd::legalText("a\0b"s) == "a?b");
    BOOST_TEST(xsd::legalText("tab\t cr\r lf\n") == "tab\t cr\r lf\n");
    BOOST_TEST(xsd::legalText("\xEF\xBF\xBE") == "???");       // U+FFFE
    BOOST_TEST(xsd::legalText("\xC0\xAF") == "??");            // overlong
    BOOST_TEST(xsd::legalText("\xED\xA0\x80") == "???");       // a surrogate
    BOOST_TEST(xsd::legalText("\xF4\x90\x80\x80") == "????");  // beyond U+10FFFF
    BOOST_TEST(xsd::legalText("cut \xE2\x82") == "cut ??");
    BOOST_TEST(xsd::legalText("Zoë € 😀") == "Zoë € 😀");
}

BOOST_AUTO_TEST_CASE(content_and_attributes_are_escaped_each_in_its_way) {
    std::string content, value;

    xsd::appendContent(content, "<a & \"b\">\r\n]]>");
    xsd::appendAttribute(value, "<a & \"b\">\t\r\n");

    BOOST_TEST(content == "&lt;a &amp; \"b\"&gt;&#13;\n]]&gt;");
    BOOST_TEST(value == "&lt;a &amp; &quot;b&quot;>&#9;&#13;&#10;");
}

BOOST_AUTO_TEST_SUITE_END()
