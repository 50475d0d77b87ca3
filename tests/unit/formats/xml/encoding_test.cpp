#include <boost/test/unit_test.hpp>
#include <string>

#include "xml_support.hpp"

using namespace postbus::xml;
using namespace postbus::xml::test;
using namespace std::string_literals;

namespace {

std::string textOf(const std::string& document, std::string_view charset = {}) {
    return std::string(parsed(document, charset).root().simpleText().value());
}

postbus::Error::Kind kindOf(std::string_view document, std::string_view charset = {}) {
    Tape tape;
    const auto result = parse(document, charset, {}, tape);
    BOOST_REQUIRE(!result);
    return result.error().kind();
}

/// ASCII and characters of Latin-1 and beyond, as UTF-16 in one byte order.
std::string utf16(std::u16string_view text, bool bigEndian) {
    std::string out;
    for (const char16_t unit : text) {
        const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit);
        out += bigEndian ? high : low;
        out += bigEndian ? low : high;
    }
    return out;
}

const std::string zoe = "Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x98\x80";
constexpr std::u16string_view zoe16 = u"<a>Zo\u00EB \u20AC \U0001F600</a>";

}  // namespace

BOOST_AUTO_TEST_SUITE(xml_encoding)

BOOST_AUTO_TEST_CASE(is_utf8_when_nothing_says_otherwise) {
    BOOST_TEST(textOf("<a>" + zoe + "</a>") == zoe);
    BOOST_TEST(textOf("<?xml version='1.0'?><a>" + zoe + "</a>") == zoe);
    BOOST_TEST(textOf("<a>" + zoe + "</a>", "UTF-8") == zoe);
    BOOST_TEST(textOf("<?xml version='1.0' encoding='utf-8'?><a>" + zoe + "</a>") == zoe);
}

BOOST_AUTO_TEST_CASE(is_that_of_the_byte_order_mark_before_all_else) {
    for (const std::string_view charset : {"", "utf-8", "iso-8859-1", "utf-16", "no-such"}) {
        BOOST_TEST(textOf("\xEF\xBB\xBF<?xml version='1.0' encoding='ISO-8859-1'?><a>" + zoe + "</a>", charset) == zoe);
        BOOST_TEST(textOf("\xFE\xFF" + utf16(zoe16, true), charset) == zoe);
        BOOST_TEST(textOf("\xFF\xFE" + utf16(zoe16, false), charset) == zoe);
    }
}

BOOST_AUTO_TEST_CASE(is_that_of_the_transport_before_the_declaration) {
    BOOST_TEST(textOf("<?xml version='1.0' encoding='UTF-8'?><a>Zo\xEB</a>", "ISO-8859-1") == "Zo\xC3\xAB");
    BOOST_TEST(textOf("<?xml version='1.0' encoding='ISO-8859-1'?><a>Zo\xC3\xAB</a>", "utf-8") == "Zo\xC3\xAB");
    BOOST_TEST(textOf("<?xml version='1.0' encoding='no-such'?><a>Zo\xC3\xAB</a>", "utf-8") == "Zo\xC3\xAB");
}

BOOST_AUTO_TEST_CASE(is_that_of_the_declaration_without_the_transports) {
    BOOST_TEST(textOf("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xC5sa \xD6lund</a>") ==
               "\xC3\x85sa \xC3\x96lund");
    BOOST_TEST(textOf("<?xml version = \"1.0\"\n encoding = \"windows-1252\" ?><a>\x80</a>") == "\xE2\x82\xAC");
    BOOST_TEST(textOf("<?xml version='1.0' encoding='iso-8859-15'?><a>\xA4</a>") == "\xE2\x82\xAC");
    BOOST_TEST(textOf("<?xml version='1.0' encoding='Shift_JIS'?><a>\x93\xFA\x96\x7B</a>") ==
               "\xE6\x97\xA5\xE6\x9C\xAC");
    BOOST_TEST(textOf("<?xml version='1.0' encoding='GB18030'?><a>\x94\x39\xFC\x36</a>") == "\xF0\x9F\x98\x80");
    BOOST_TEST(textOf("<?xml version='1.0' encoding='us-ascii'?><a>x&#xEB;</a>") == "x\xC3\xAB");
}

BOOST_AUTO_TEST_CASE(reads_utf16_with_and_without_a_mark) {
    for (const bool bigEndian : {true, false}) {
        const std::string mark = bigEndian ? "\xFE\xFF" : "\xFF\xFE";
        BOOST_TEST(textOf(mark + utf16(u"<?xml version='1.0' encoding='UTF-16'?><a>\u00EB</a>", bigEndian)) ==
                   "\xC3\xAB");
        BOOST_TEST(textOf(utf16(zoe16, bigEndian), bigEndian ? "UTF-16BE" : "utf-16le") == zoe);
        BOOST_TEST(textOf(utf16(zoe16, bigEndian), "utf-16") == zoe);
        BOOST_TEST(textOf(utf16(zoe16, bigEndian)) == zoe);
    }
}

BOOST_AUTO_TEST_CASE(refuses_bytes_that_are_not_in_it) {
    BOOST_TEST(refusal("<a>\xEB</a>", "utf-8").find("line 1: the byte 0xEB") == 0u);
    BOOST_TEST(refusal("<a>\n\xEB</a>", "us-ascii").find("line 2: ") == 0u);
    BOOST_TEST(refusal("<?xml version='1.0' encoding='windows-1252'?>\n<a>\x81</a>").find("line 2: ") == 0u);
    BOOST_TEST(refusal("<?xml version='1.0' encoding='euc-jp'?><a>\xB0").find("line 1: ") == 0u);
    BOOST_TEST(refusal("\xFE\xFF" + utf16(u"<a>x</a>", true) + "\0"s) == "line 1: the bytes are not valid UTF-16");
    BOOST_TEST(refusal("\xFE\xFF" + utf16(u"<a>\n", true) + "\xD8\x00\x00x"s) ==
               "line 2: the bytes are not valid UTF-16");
    BOOST_TEST(refusal("\xFE\xFF" + utf16(u"<a>", true) + "\xDC\x00"s) == "line 1: the bytes are not valid UTF-16");
    BOOST_TEST(refusal("\xFE\xFF" + utf16(u"<a>", true) + "\xD8\x00"s) == "line 1: the bytes are not valid UTF-16");
    BOOST_TEST(refusal("<?xml version='1.0' encoding='UTF-16'?><a/>").find("line 1: the XML declaration says") == 0u);
    BOOST_TEST(refusal("\xFF\xFE" + utf16(u"<a>\uFFFE</a>", false)).find("line 1: ") == 0u);
    BOOST_TEST(refusal("\xEF\xBB\xBF\xEF\xBB\xBF<a/>").find("line 1: ") == 0u);
}

BOOST_AUTO_TEST_CASE(names_an_encoding_that_it_does_not_read) {
    const auto unsupported = postbus::Error::Kind::Unsupported;

    BOOST_TEST((kindOf("<a/>", "ebcdic-cp-us") == unsupported));
    BOOST_TEST((kindOf("<?xml version='1.0' encoding='UTF-7'?><a/>") == unsupported));
    BOOST_TEST((kindOf("\xFF\xFE\0\0<\0\0\0"s) == unsupported));
    BOOST_TEST(refusal("<a/>", "x-klingon") == "the encoding 'x-klingon' is not supported; send UTF-8");
    BOOST_TEST(refusal("<a/>", "UTF-8//TRANSLIT").find("the encoding 'UTF-8//TRANSLIT' is not supported") == 0u);
}

BOOST_AUTO_TEST_CASE(converts_all_of_latin1) {
    std::string bytes, expected;
    for (int c = 0xA0; c < 0x100; ++c) {
        bytes += static_cast<char>(c);
        expected += static_cast<char>(c < 0xC0 ? 0xC2 : 0xC3);
        expected += static_cast<char>(0x80 | (c & 0x3F));
    }

    BOOST_TEST(textOf("<a>" + bytes + "</a>", "iso-8859-1") == expected);
}

BOOST_AUTO_TEST_SUITE_END()
