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

BOOST_AUTO_TEST_SUITE(xml_scanner_bounds)

BOOST_AUTO_TEST_CASE(leaves_no_half_characters_in_the_text_of_the_tape) {
    const Tape tape = scanned(
        "<a x='\r\n\xC3\xA4\xF0\x9F\x98\x80'>&amp;\xE6\x97\xA5<!-- \xC3\xA4 "
        "-->\r\n\xF0\x9F\x98\x80<![CDATA[\xC3\xA4]]></a>");

    BOOST_TEST(isChars({tape.view()->text, tape.view()->text_size}));
    BOOST_TEST(!!Tape::verify(tape.serialize()));
}

BOOST_AUTO_TEST_CASE(reads_nothing_beyond_the_end) {
    // In memory of just its size: a sanitizer tells.
    const std::string whole =
        "<?xml version='1.0'?><!-- x --><p:a xmlns:p='urn:p' x='1&amp;'>\r\n<![CDATA[x]]>&#65;\xC3\xA4<b/></p:a>";
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        BOOST_TEST(takes({cut.data(), cut.size()}) == (size == whole.size()));
    }
}

BOOST_AUTO_TEST_CASE(does_not_take_a_zero_for_the_end) {
    refusesAll({"<a/>\0"s, "<a/>\0<b/>"s, "<a>\0</a>"s, "<a x='\0'/>"s, "<a\0/>"s, "<!--\0--><a/>"s, "\0<a/>"s});
}

BOOST_AUTO_TEST_CASE(holds_the_limits) {
    const auto limited = [](std::uint32_t Limits::*limit, std::uint32_t value, std::string_view document) {
        Limits limits;
        limits.*limit = value;
        return takes(document, limits);
    };
    const auto ends = [&](std::uint32_t Limits::*limit, std::uint32_t value, std::string_view document) {
        return limited(limit, value, document) && !limited(limit, value - 1, document);
    };

    BOOST_TEST(ends(&Limits::depth, 3, "<a><b><c/></b><d/></a>"));
    BOOST_TEST(ends(&Limits::attributes, 3, "<a x='' xmlns='u' xmlns:xml='http://www.w3.org/XML/1998/namespace'/>"));
    BOOST_TEST(ends(&Limits::bindings, 2, "<a xmlns='u'><b xmlns:p='u'/><b xmlns:q='u'/><b xmlns=''/></a>"));
    BOOST_TEST(ends(&Limits::names, 4, "<a xmlns:p='u' x='1'><p:b/><x x='2'/></a>"));
    BOOST_TEST(ends(&Limits::nameLength, 4, "<abc xmlns:p='urn:'/>"));
    BOOST_TEST(ends(&Limits::nameLength, 4, "<abcd/>"));
    BOOST_TEST(ends(&Limits::nameLength, 4, "<a abcd=''/>"));
    BOOST_TEST(ends(&Limits::nameLength, 4, "<a xmlns:abcd='u'/>"));
    BOOST_TEST(ends(&Limits::nameLength, 36, "<a xml:b=''/>"));
    BOOST_TEST(ends(&Limits::nodes, 5, "<a x='1' xmlns='u'><b/><c/></a>"));
    BOOST_TEST(ends(&Limits::nodes, 3, "<a>x</a>"));  // one less would do for libxml2's reader
}

BOOST_AUTO_TEST_CASE(tells_many_names_apart) {
    std::string document = "<r xmlns:p='urn:p' xmlns:q='urn:q'>";
    for (int i = 0; i < 6'000; ++i) document += filled("<n$/><p:n$/><q:n$ p:n$='1'/>", std::to_string(i));
    const Tape tape = scanned(document + "</r>");

    BOOST_TEST(tape.view()->name_count == 18'003u);
    int number = 0;
    for (postbus::Element each = tape.root().firstChild(); each; each = each.next(), ++number) {
        BOOST_TEST(each.local() == "n" + std::to_string(number / 3));
        BOOST_TEST(each.uri() == (number % 3 == 0 ? "" : number % 3 == 1 ? "urn:p" : "urn:q"));
    }
    BOOST_TEST(takes("<a/>"));  // with its memory given back
}

BOOST_AUTO_TEST_SUITE_END()
