#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "formats/xml/chars.hpp"
#include "formats/xml/readers.hpp"
#include "formats/xml/tape_check.hpp"
#include "scanner_support.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;
using namespace std::string_literals;

namespace {

/// The value of an attribute written so, without its quotes.
std::string valueOf(const std::string& value) {
    return std::string(scanned("<a x='" + value + "'/>").root().attribute("", "x").value());
}

struct Case {
    std::string written, meant;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_scanner)

BOOST_AUTO_TEST_CASE(takes_documents_without_dtd_and_instructions) {
    for (const std::string& document : {"<a/>"s,
                                        "<a></a>"s,
                                        "<a\t/>"s,
                                        "<a\n>\r\n</a\n\r>"s,
                                        " \r\n<!-- x --> <a/> <!-- y -->\n "s,
                                        "<_/>"s,
                                        "<xml/>"s,
                                        "<a.b-c_d1/>"s,
                                        "<?xml version='1.0'?><a/>"s,
                                        "<?xml\tversion = \"1.0\"\n?>\n<a/>"s,
                                        "<?xml version='1.0' encoding='UTF-8'?><a/>"s,
                                        "<?xml version='1.0' encoding=\"x-1.2_Y\" ?><a/>"s,
                                        "<?xml version='1.0' standalone='yes'?><a/>"s,
                                        "<?xml version='1.0' encoding='a'\n standalone = 'no' ?><a/>"s,
                                        "<a x = 'y'\n\tz=\"'\"/>"s,
                                        "<a x='>'/>"s,
                                        "<a><!----><!-- - <b> & ]]> -></a> <?x?> --></a>"s,
                                        "<a xml:lang='no such' xml:space='other'/>"s,
                                        "<xml:a/>"s,
                                        "<a xmlns=''/>"s,
                                        "<a x='1' y='1'/>"s,
                                        "<a xmlns:p='urn:p' p:xmlns='1' xmlnsx='2'/>"s,
                                        "<a\xCC\x81/>"s,
                                        "<a><!-- \xF0\x9F\x98\x80 --></a>"s})
        BOOST_TEST(takes(document), document);
}

BOOST_AUTO_TEST_CASE(leaves_to_others_what_it_does_not_know) {
    refusesAll({"", " ", "<!DOCTYPE a><a/>", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
                "<?p?><a/>", "<a><?p x?></a>", "<a/><?p?>", "<?xml-stylesheet href='x'?><a/>", "<a>&nbsp;</a>",
                "<a x='&nbsp;'/>", "<?xml version='1.1'?><a/>", "\xEF\xBB\xBF<a/>"});
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_xml_declaration) {
    refusesAll({"<?xml?><a/>",
                "<?xml ?><a/>",
                "<?xml version='1.0'><a/>",
                "<?xml version='1.0'?",
                "<?xmlversion='1.0'?><a/>",
                "<?xml version='1.0\"?><a/>",
                "<?xml version=1.0?><a/>",
                "<?xml version '1.0'?><a/>",
                "<?xml version='1.0 '?><a/>",
                "<?xml version='1.0'encoding='x'?><a/>",
                "<?xml version='1.0' encoding=''?><a/>",
                "<?xml version='1.0' encoding='1x'?><a/>",
                "<?xml version='1.0' encoding='x y'?><a/>",
                "<?xml version='1.0' encoding='x'standalone='no'?><a/>",
                "<?xml version='1.0' standalone='maybe'?><a/>",
                "<?xml version='1.0' standalone='no' encoding='x'?><a/>",
                "<?xml encoding='x' version='1.0'?><a/>",
                "<?xml version='1.0' version='1.0'?><a/>",
                "<?xml version='1.0' ? ><a/>",
                " <?xml version='1.0'?><a/>",
                "<?XML version='1.0'?><a/>",
                "<?xml version='1.0' x='y'?><a/>",
                "<?xml version='1.0'?><?xml version='1.0'?><a/>"});
}

BOOST_AUTO_TEST_CASE(refuses_what_is_not_well_formed) {
    refusesAll({"a",
                "<",
                "<a",
                "<a ",
                "<a/",
                "<a>",
                "<a>x",
                "<a><",
                "<a></",
                "<a></a",
                "<a></b>",
                "<a></ab>",
                "<ab></a>",
                "<a></A>",
                "<a><b></a></b>",
                "<a/><b/>",
                "<a/>x",
                "x<a/>",
                "<a/>&#32;",
                "<a/><![CDATA[]]>",
                "<a//>",
                "<a / >",
                "< a/>",
                "<a></ a>",
                "<a></a x='1'>",
                "<1/>",
                "<-a/>",
                "<.a/>",
                "<a x/>",
                "<a x=/>",
                "<a x=1/>",
                "<a x='1/>",
                "<a x='1\"/>",
                "<a x='1'y='2'/>",
                "<a x=''x=''/>",
                "<a x='1' x='2'/>",
                "<a x='<'/>",
                "<a x='&'/>",
                "<a 'x'/>",
                "<a =''/>",
                "<a x=='1'/>",
                "<a>]]></a>",
                "<a>x]]]></a>",
                "<a>&amp;]]></a>",
                "<a><![CDATA[x]]</a>",
                "<a><![CDATA[x",
                "<a><![cdata[]]></a>",
                "<a><![CDATA []]></a>",
                "<![CDATA[]]><a/>",
                "<a><!-- -- --></a>",
                "<a><!-- ---></a>",
                "<a><!--->",
                "<a><!-></a>",
                "<a><!- - --></a>",
                "<!-- ",
                "<!-- -",
                "<!-- --",
                "<a><!></a>",
                "<a></a/>",
                "<a></a></a>",
                "</a>",
                "<>",
                "<a></>"});
}

BOOST_AUTO_TEST_CASE(refuses_wrong_namespaces) {
    refusesAll({"<p:a/>",
                "<a p:x='1'/>",
                "<a><b xmlns:p='urn:p'/><p:c/></a>",
                "<a xmlns:p='urn:p'><b xmlns:q='urn:q'/></a><q:c/>",
                "<a xmlns:p=''/>",
                "<a xmlns:xmlns='urn:x'/>",
                "<a xmlns:xml='urn:x'/>",
                "<xmlns:a/>",
                "<a xmlns:='urn:x'/>",
                "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
                "<a xmlns='http://www.w3.org/XML/1998/namespace'/>",
                "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>",
                "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
                "<a xmlns:p='http://www.w3.org/2000/xmlns&#47;'/>",
                "<a xmlns='urn:a' xmlns='urn:a'/>",
                "<a xmlns:p='urn:a' xmlns:p='urn:b'/>",
                "<:a/>",
                "<a:/>",
                "<a:b:c xmlns:a='urn:a'/>",
                "<a:1 xmlns:a='urn:a'/>",
                "<a:-b xmlns:a='urn:a'/>",
                "<a :x='1'/>",
                "<a xmlns:a='urn:a' a:='1'/>",
                "<:/>",
                "<a xmlns:1='urn:a'/>",
                "<a::b xmlns:a='urn:a'/>"});
}

BOOST_AUTO_TEST_CASE(knows_attributes_by_their_namespaces) {
    const std::string two = "<a xmlns:p='urn:p' xmlns:q='urn:p' xmlns:r='urn:&#112;' xmlns:s='urn:s' xmlns='urn:p' ";

    BOOST_TEST(takes(two + "p:x='1' s:x='2' x='3' p:y='4' q:z='5'/>"));
    refusesAll({two + "p:x='1' q:x='2'/>", two + "p:x='1' r:x='2'/>", two + "p:x='1' p:x='2'/>", two + "x='1' x='2'/>",
                two + "><b q:x='1'/><b p:x='1' y='2' q:x='3'/></a>", "<a xml:lang='' xml:lang=''/>"});
    BOOST_TEST(takes(two + "><b q:x='1'/><b p:x='1'/><b r:x='1' y='2'/><b xmlns:q='urn:q' p:x='1' q:x='2'/></a>"));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_char_wherever_it_lies) {
    for (const std::string& bad :
         {"\0"s, "\x01"s, "\x1F"s, "\x80"s, "\xC0\x80"s, "\xC1\xBF"s, "\xC3"s, "\xC3("s, "\xE2\x82"s, "\xE0\x9F\xBF"s,
          "\xED\xA0\x80"s, "\xED\xBF\xBF"s, "\xEF\xBF\xBE"s, "\xEF\xBF\xBF"s, "\xF0\x8F\xBF\xBF"s, "\xF4\x90\x80\x80"s,
          "\xF5\x80\x80\x80"s, "\xF0\x9F\x98"s, "\xFF"s})
        for (std::size_t before = 0; before < 34; ++before) {
            const std::string run = std::string(before, 'x') + bad;
            for (const char* const pattern :
                 {"<a>$</a>", "<a x='$'/>", "<a><!--$--></a>", "<a><![CDATA[$]]></a>", "<a$/>", "<a $=''/>", "<a>$"})
                BOOST_TEST(!takes(filled(pattern, run)), filled(pattern, run));
            refusesAll({"<a/>" + bad, bad + "<a/>"});
        }
}

BOOST_AUTO_TEST_CASE(takes_every_name_of_the_fifth_edition) {
    // First and last of NameStartChar's ranges, and what lies beside them; then what may only follow.
    for (const char* const begins :
         {"\xC3\x80",     "\xC3\x96",     "\xC3\x98",     "\xC3\xB6",     "\xC3\xB8",         "\xCB\xBF",
          "\xCD\xB0",     "\xCD\xBD",     "\xCD\xBF",     "\xE1\xBF\xBF", "\xE2\x80\x8C",     "\xE2\x80\x8D",
          "\xE2\x81\xB0", "\xE2\x86\x8F", "\xE2\xB0\x80", "\xE2\xBF\xAF", "\xE3\x80\x81",     "\xED\x9F\xBF",
          "\xEF\xA4\x80", "\xEF\xB7\x8F", "\xEF\xB7\xB0", "\xEF\xBF\xBD", "\xF0\x90\x80\x80", "\xF3\xAF\xBF\xBF"}) {
        for (const char* const pattern :
             {"<$/>", "<a$b/>", "<$>x</$>", "<a $='1'/>", "<a xmlns:$='u'><$:$/></a>", "<a xmlns:b$='u'><b$:$b/></a>"})
            BOOST_TEST(takes(filled(pattern, begins)), filled(pattern, begins));
    }
    for (const char* const follows : {"\xC2\xB7", "\xCC\x80", "\xCD\xAF", "\xE2\x80\xBF", "\xE2\x81\x80"}) {
        BOOST_TEST(takes(filled("<a$/>", follows)));
        for (const char* const pattern : {"<$/>", "<a xmlns:p='u'><p:$/></a>", "<a $='1'/>", "<a xmlns:$='u'/>"})
            BOOST_TEST(!takes(filled(pattern, follows)), filled(pattern, follows));
    }
    for (const char* const not_ : {"\xC2\xA0", "\xC2\xB6", "\xC3\x97", "\xC3\xB7", "\xCD\xBE", "\xE2\x80\x8B",
                                   "\xE2\x80\x8E", "\xE2\x81\xAF", "\xE2\x86\x90", "\xE2\xB7\xBF\xE2\xBF\xB0",
                                   "\xE3\x80\x80", "\xEE\x80\x80", "\xEF\xB7\x90", "\xF3\xB0\x80\x80"}) {
        for (const char* const pattern : {"<$/>", "<a$/>", "<a$b/>", "<a b$='1'/>"})
            BOOST_TEST(!takes(filled(pattern, not_)), filled(pattern, not_));
    }
}

BOOST_AUTO_TEST_CASE(gives_text_as_the_document_means_it) {
    for (const Case& each : std::vector<Case>{
             {"", ""},
             {" ", " "},
             {"x", "x"},
             {"&lt;&gt;&amp;&quot;&apos;", "<>&\"'"},
             {"&#65;&#x42;&#x0000043;&#0000000068;", "ABCD"},
             {"&#9;&#10;&#13;&#x20;", "\t\n\r "},
             {"&#xE4;&#x20AC;&#x1F600;&#x10FFFF;", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF"},
             {"&#xD7FF;&#xE000;&#xFFFD;", "\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBD"},
             {"&amp;lt;&#38;amp;", "&lt;&amp;"},
             {"1\r\n2\r3\n4\r\r\n5", "1\n2\n3\n4\n\n5"},
             {"a<!-- x -->b<!----><!---->c", "abc"},
             {"<!-- x -->", ""},
             {"<![CDATA[]]>", ""},
             {"a<![CDATA[ <b> & &amp; \r\n\r]] ]> ]]]]>c", "a <b> & &amp; \n\n]] ]> ]]c"},
             {"]] ]&gt; ]]<!---->> > \"'", "]] ]> ]]> > \"'"},
             {"&#93;]> ]&#93;> ]]&#62;", "]]> ]]> ]]>"},
             {"\r\n\xC3\xA4&lt;\xE6\x97\xA5\r\xF0\x9F\x98\x80", "\n\xC3\xA4<\xE6\x97\xA5\n\xF0\x9F\x98\x80"},
             {"\x7F\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF", "\x7F\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF"},
             {"0123456789abcdef0123456789abcde&amp;", "0123456789abcdef0123456789abcde&"}})
        BOOST_TEST(scanned("<a>" + each.written + "</a>").root().text() == each.meant, each.written);
}

BOOST_AUTO_TEST_CASE(gives_values_as_the_document_means_them) {
    for (const Case& each :
         std::vector<Case>{{"", ""},
                           {" x ", " x "},
                           {"&lt;&gt;&amp;&quot;&apos;\">]]>", "<>&\"'\">]]>"},
                           {"1\r\n2\r3\n4\t5\r\r\n6", "1 2 3 4 5  6"},
                           {"&#13;&#10;&#9;&#x20AC;", "\r\n\t\xE2\x82\xAC"},
                           {"\xC3\xA4&lt;\xE6\x97\xA5\n\xF0\x9F\x98\x80", "\xC3\xA4<\xE6\x97\xA5 \xF0\x9F\x98\x80"},
                           {"\r\n\xC3\xA4", " \xC3\xA4"},
                           {"0123456789abcdef0123456789abcde\n", "0123456789abcdef0123456789abcde "}})
        BOOST_TEST(valueOf(each.written) == each.meant, each.written);
    BOOST_TEST(scanned("<a x=\"'\"/>").root().attribute("", "x").value() == "'");
}

BOOST_AUTO_TEST_CASE(refuses_references_that_are_none) {
    for (const char* const bad :
         {"&",        "&;",       "&amp",       "&amp ;",        "&AMP;",         "&lt",
          "&l;",      "&#;",      "&#x;",       "&#X41;",        "&#65",          "&#6a;",
          "&# 65;",   "&#-1;",    "&#0;",       "&#x1F;",        "&#xD800;",      "&#xDFFF;",
          "&#xFFFE;", "&#xFFFF;", "&#x110000;", "&#4294967361;", "&#x100000041;", "&#99999999999999999999;"})
        refusesAll({"<a>"s + bad + "</a>", "<a x='"s + bad + "'/>", "<a>"s + bad, "<a x='"s + bad});
}

BOOST_AUTO_TEST_CASE(gives_elements_attributes_and_declarations_their_names) {
    const Tape tape = scanned(
        "<p:a xmlns:p='urn:p' x='1' xmlns='urn:d' p:y='2' xml:lang='de' xml:a='3'>"
        "<b z='4'/><p:b xmlns:p='urn:q' p:y='5'><c xmlns=''/></p:b><p:b/><xml:a/></p:a>");

    BOOST_TEST(dump(tape) ==
               "1 16 -1 {urn:p}p:a []\n"
               "2 2 0 {urn:p}p: []\n"
               "2 3 0 {urn:d}: []\n"
               "3 4 0 {}:x [1]\n"
               "3 5 0 {urn:p}p:y [2]\n"
               "3 6 0 {http://www.w3.org/XML/1998/namespace}xml:lang [de]\n"
               "3 7 0 {http://www.w3.org/XML/1998/namespace}xml:a [3]\n"
               "1 9 0 {urn:d}:b []\n"
               "3 9 7 {}:z [4]\n"
               "1 14 0 {urn:q}p:b []\n"
               "2 11 9 {urn:q}p: []\n"
               "3 12 9 {urn:q}p:y [5]\n"
               "1 14 9 {}:c []\n"
               "2 14 12 {}: []\n"
               "1 15 0 {urn:p}p:b []\n"
               "1 16 0 {http://www.w3.org/XML/1998/namespace}xml:a []\n");
    BOOST_TEST(tape.view()->name_count == 15u);
}

BOOST_AUTO_TEST_CASE(tells_lines_as_libxml2_does) {
    const Tape tape = scanned(
        "<?xml version='1.0'\n?>\n<!--\n--><a\n x='\r\n\n'\r\n>t\r\n<b\n/>u\r\r&#10;<![CDATA[\n]]><c>\n</c\n>v</a>");
    std::vector<std::uint32_t> lines;
    for (std::uint32_t i = 0; i < tape.view()->node_count; ++i) lines.push_back(tape.view()->nodes[i].line);

    const std::vector<std::uint32_t> expected = {8, 8, 8, 10, 10, 11, 11, 13};
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
