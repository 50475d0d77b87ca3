#include <boost/test/unit_test.hpp>
#include <postbus/plugin.hpp>

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

// Expected values are those of XML Schema 1.1 Part 2: Datatypes, section given with each table.

namespace postbus::sdk {

inline std::ostream& operator<<(std::ostream& out, Verdict verdict) {
    return out << (verdict == Verdict::Good ? "good" : verdict == Verdict::Malformed ? "malformed" : "out of range");
}

}  // namespace postbus::sdk

namespace {

using postbus::Base64;
using postbus::DateTime;
using postbus::Decimal;
using postbus::sdk::NumberText;
using postbus::sdk::parseValue;
using postbus::sdk::Verdict;

template <class T>
void reads(std::string_view text, T expected) {
    BOOST_TEST_CONTEXT("'" << text << "'") {
        T value{};
        BOOST_TEST(parseValue(text, value) == Verdict::Good);
        BOOST_TEST((value == expected));
    }
}
template <class T>
void refuses(std::string_view text, Verdict expected = Verdict::Malformed) {
    BOOST_TEST_CONTEXT("'" << text << "'") {
        T value{};
        BOOST_TEST(parseValue(text, value) == expected);
    }
}
/// Types that keep the text: it is what the sender wrote, without the blanks around it.
template <class T>
void keeps(std::string_view text, std::string_view expected) {
    BOOST_TEST_CONTEXT("'" << text << "'") {
        T value{};
        BOOST_TEST(parseValue(text, value) == Verdict::Good);
        BOOST_TEST(value.text == expected);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lexical)

BOOST_AUTO_TEST_CASE(a_string_keeps_all_its_white_space) {  // 3.3.1
    reads<std::string>(" a\n\tb ", " a\n\tb ");
    reads<std::string>("", "");
}

BOOST_AUTO_TEST_CASE(a_boolean_is_true_false_1_or_0) {  // 3.3.2
    reads("true", true);
    reads("1", true);
    reads("false", false);
    reads("0", false);
    reads(" \t\r\n true \n", true);
    for (const auto* text : {"", " ", "TRUE", "True", "yes", "01", "t", "true false", "\xC2\xA0true"})
        refuses<bool>(text);
}

BOOST_AUTO_TEST_CASE(integers_have_signs_and_leading_zeros) {  // 3.4.13
    reads<std::int32_t>("0", 0);
    reads<std::int32_t>("-0", 0);
    reads<std::int32_t>("+7", 7);
    reads<std::int32_t>("0000000000000000000000000042", 42);
    reads<std::int32_t>(" -12\n", -12);
    reads<std::uint32_t>("+12", 12);
    reads<std::uint32_t>("-0", 0);
    reads<std::uint32_t>("-000", 0);
    for (const auto* text :
         {"", " ", "+", "-", "--1", "+-1", "1.0", "1.", "1e3", "0x10", "1 2", "1,000", "abc", "1a", "\xD9\xA1"}) {
        refuses<std::int32_t>(text);
        refuses<std::uint64_t>(text);
    }
}

BOOST_AUTO_TEST_CASE(integers_hold_exactly_their_range) {  // 3.4.16 to 3.4.24
    reads<std::int8_t>("-128", -128);
    reads<std::int8_t>("127", 127);
    refuses<std::int8_t>("128", Verdict::OutOfRange);
    refuses<std::int8_t>("-129", Verdict::OutOfRange);
    reads<std::int16_t>("-32768", -32768);
    reads<std::int16_t>("32767", 32767);
    refuses<std::int16_t>("32768", Verdict::OutOfRange);
    reads<std::int32_t>("-2147483648", std::numeric_limits<std::int32_t>::min());
    reads<std::int32_t>("2147483647", 2147483647);
    refuses<std::int32_t>("2147483648", Verdict::OutOfRange);
    refuses<std::int32_t>("-2147483649", Verdict::OutOfRange);
    reads<std::int64_t>("-9223372036854775808", std::numeric_limits<std::int64_t>::min());
    reads<std::int64_t>("9223372036854775807", std::numeric_limits<std::int64_t>::max());
    refuses<std::int64_t>("9223372036854775808", Verdict::OutOfRange);
    reads<std::uint8_t>("255", 255);
    refuses<std::uint8_t>("256", Verdict::OutOfRange);
    refuses<std::uint8_t>("-1", Verdict::OutOfRange);
    reads<std::uint16_t>("65535", 65535);
    refuses<std::uint16_t>("65536", Verdict::OutOfRange);
    reads<std::uint32_t>("4294967295", 4294967295u);
    refuses<std::uint32_t>("4294967296", Verdict::OutOfRange);
    reads<std::uint64_t>("18446744073709551615", std::numeric_limits<std::uint64_t>::max());
    refuses<std::uint64_t>("18446744073709551616", Verdict::OutOfRange);
    refuses<std::uint64_t>("-1", Verdict::OutOfRange);
}

BOOST_AUTO_TEST_CASE(doubles_are_decimal_with_an_exponent_or_one_of_three_words) {  // 3.3.5
    reads("0", 0.0);
    reads("1", 1.0);
    reads("-1.5", -1.5);
    reads("+1.5", 1.5);
    reads(".5", 0.5);
    reads("5.", 5.0);
    reads("-.5e2", -50.0);
    reads("1E4", 1e4);
    reads("1267.43233E12", 1267.43233e12);
    reads("12.78e-2", 0.1278);
    reads("1e+3", 1000.0);
    reads(" 2.5\n", 2.5);
    reads("INF", std::numeric_limits<double>::infinity());
    reads("+INF", std::numeric_limits<double>::infinity());
    reads("-INF", -std::numeric_limits<double>::infinity());
    double value = 0;
    BOOST_TEST(parseValue("NaN", value) == Verdict::Good);
    BOOST_TEST(std::isnan(value));
    BOOST_TEST(parseValue("-0", value) == Verdict::Good);
    BOOST_TEST(std::signbit(value));
    for (const auto* text :
         {"",     ".",    "+",     "e5",  "1e",   "1e+",  "1e1.5", "inf", "Infinity", "infinity", "nan",
          "-NaN", "+NaN", "0x1p3", "1,5", "1.5f", "1 .5", "1.2.3", "1d0", "++1",      "INFINITY"}) {
        refuses<double>(text);
        refuses<float>(text);
    }
}

BOOST_AUTO_TEST_CASE(floating_point_rounds_what_it_can_not_hold) {  // floatingPointRound
    const double infinity = std::numeric_limits<double>::infinity();
    reads("1e999", infinity);
    reads("-1e999", -infinity);
    reads("1e-999", 0.0);
    reads("0e999", 0.0);
    reads("123456789e99999999999999999999", infinity);
    reads("0.000001e-99999999999999999999", 0.0);
    reads("1" + std::string(400, '0'), infinity);
    reads("0." + std::string(400, '0') + "1", 0.0);
    reads("0." + std::string(400, '0') + "1e401", 1.0);
    reads("1.7976931348623157e308", std::numeric_limits<double>::max());
    reads("4.9406564584124654e-324", std::numeric_limits<double>::denorm_min());
    reads("3.4028235e38", std::numeric_limits<float>::max());
    reads("1e39", std::numeric_limits<float>::infinity());
    reads("1e-50", 0.0f);
    double value = 1;
    BOOST_TEST(parseValue("-1e-999", value) == Verdict::Good);
    BOOST_TEST((value == 0 && std::signbit(value)));
}

BOOST_AUTO_TEST_CASE(a_decimal_keeps_every_digit) {  // 3.3.3
    keeps<Decimal>("0", "0");
    keeps<Decimal>("-1.23", "-1.23");
    keeps<Decimal>("+100000.00", "+100000.00");
    keeps<Decimal>(".5", ".5");
    keeps<Decimal>("210.", "210.");
    keeps<Decimal>(" 12678967.543233 ", "12678967.543233");
    keeps<Decimal>("0.10000000000000000000000000000000000001", "0.10000000000000000000000000000000000001");
    for (const auto* text : {"", ".", "-", "+.", "1e5", "1,5", "INF", "NaN", "1 000", "--1", "1.2.3"})
        refuses<Decimal>(text);
}

BOOST_AUTO_TEST_CASE(a_date_time_is_kept_as_it_was_written) {  // 3.3.7
    keeps<DateTime>("2002-10-10T12:00:00", "2002-10-10T12:00:00");
    keeps<DateTime>("2002-10-10T12:00:00Z", "2002-10-10T12:00:00Z");
    keeps<DateTime>("2002-10-10T12:00:00+05:00", "2002-10-10T12:00:00+05:00");
    keeps<DateTime>(" 2002-10-10T12:00:00.5-14:00\n", "2002-10-10T12:00:00.5-14:00");
    keeps<DateTime>("2002-10-10T12:00:00.123456789012345Z", "2002-10-10T12:00:00.123456789012345Z");
    keeps<DateTime>("0001-01-01T00:00:00", "0001-01-01T00:00:00");
    keeps<DateTime>("-0044-03-15T12:00:00", "-0044-03-15T12:00:00");
    keeps<DateTime>("12004-12-31T23:59:59.999", "12004-12-31T23:59:59.999");
    keeps<DateTime>("2002-12-31T24:00:00", "2002-12-31T24:00:00");
    keeps<DateTime>("2002-12-31T24:00:00.000Z", "2002-12-31T24:00:00.000Z");
    keeps<DateTime>("2004-02-29T00:00:00", "2004-02-29T00:00:00");
    keeps<DateTime>("2000-02-29T00:00:00", "2000-02-29T00:00:00");
}

BOOST_AUTO_TEST_CASE(a_date_time_is_a_day_and_time_that_exist) {  // 3.3.7
    const std::vector<std::string_view> wrong{
        "",
        "2002-10-10",
        "12:00:00",
        "2002-10-10 12:00:00",
        "2002-10-10t12:00:00",
        "2002-10-10T12:00",
        "2002-10-10T12:00:00.",
        "2002-10-10T12:00:00z",
        "2002-10-10T12:00:00+0500",
        "2002-10-10T12:00:00+05",
        "2002-10-10T12:00:00+14:01",
        "2002-10-10T12:00:00+15:00",
        "2002-10-10T12:00:00+05:60",
        "2002-10-10T12:00:00Zx",
        "2002-00-10T12:00:00",
        "2002-13-10T12:00:00",
        "2002-10-00T12:00:00",
        "2002-10-32T12:00:00",
        "2002-04-31T12:00:00",
        "2003-02-29T00:00:00",
        "1900-02-29T00:00:00",
        "2004-02-30T00:00:00",
        "2002-10-10T25:00:00",
        "2002-10-10T24:00:01",
        "2002-10-10T24:00:00.1",
        "2002-10-10T24:01:00",
        "2002-10-10T12:60:00",
        "2002-10-10T12:00:60",
        "02-10-10T12:00:00",
        "02002-10-10T12:00:00",
        "+2002-10-10T12:00:00",
        "2002-1-10T12:00:00",
        "2002-10-10T1:00:00",
    };
    for (const auto text : wrong) refuses<DateTime>(text);
}

BOOST_AUTO_TEST_CASE(base64_is_whole_quartets_with_blanks_anywhere) {  // 3.3.16
    const auto bytes = [](std::string_view text) {
        Base64 value;
        BOOST_TEST_CONTEXT("'" << text << "'") { BOOST_TEST(parseValue(text, value) == Verdict::Good); }
        return value.bytes;
    };
    BOOST_TEST(bytes("").empty());
    BOOST_TEST(bytes(" \n ").empty());
    BOOST_TEST(bytes("Zg==") == "f");
    BOOST_TEST(bytes("Zm8=") == "fo");
    BOOST_TEST(bytes("Zm9v") == "foo");
    BOOST_TEST(bytes("Zm9vYmFy") == "foobar");
    BOOST_TEST(bytes(" Zm 9v\r\nYg = = ") == "foob");
    BOOST_TEST(bytes("AP8Q+/8=") == std::string_view("\x00\xFF\x10\xFB\xFF", 5));
    for (const auto* text : {"Z", "Zg", "Zg=", "Zm9", "Zg===", "=", "====", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zg==Z",
                             "Zm=v", "Zm9v!", "Zm9-", "Zm9_", "Zm9v\xC2\xA0"})
        refuses<Base64>(text);
}

BOOST_AUTO_TEST_CASE(every_byte_survives_base64) {
    std::string all;
    for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
    for (std::size_t length = 0; length <= all.size(); ++length) {
        const std::string_view bytes = std::string_view(all).substr(0, length);
        std::vector<char> text((length + 2) / 3 * 4);
        BOOST_REQUIRE(postbus::sdk::encodeBase64(bytes, text.data()) == text.size());
        Base64 back;
        BOOST_REQUIRE(parseValue(std::string_view(text.data(), text.size()), back) == Verdict::Good);
        BOOST_TEST(back.bytes == bytes);
    }
}

BOOST_AUTO_TEST_CASE(numbers_are_written_so_that_they_read_back_the_same) {
    BOOST_TEST(NumberText(std::int8_t{-128}).view() == "-128");
    BOOST_TEST(NumberText(std::uint8_t{255}).view() == "255");
    BOOST_TEST(NumberText(std::numeric_limits<std::uint64_t>::max()).view() == "18446744073709551615");
    BOOST_TEST(NumberText(std::numeric_limits<std::int64_t>::min()).view() == "-9223372036854775808");
    BOOST_TEST(NumberText(0.1).view() == "0.1");
    BOOST_TEST(NumberText(0.1f).view() == "0.1");
    BOOST_TEST(NumberText(1e300).view() == "1e+300");
    BOOST_TEST(NumberText(-0.0).view() == "-0");
    BOOST_TEST(NumberText(std::numeric_limits<double>::infinity()).view() == "INF");
    BOOST_TEST(NumberText(-std::numeric_limits<double>::infinity()).view() == "-INF");
    BOOST_TEST(NumberText(std::numeric_limits<double>::quiet_NaN()).view() == "NaN");
    BOOST_TEST(NumberText(-std::numeric_limits<float>::quiet_NaN()).view() == "NaN");
    for (const double number :
         {0.1, 1.0 / 3, 1e22, 123456.789, -2.2250738585072014e-308, 5e-324, 1.7976931348623157e308}) {
        double back = 0;
        BOOST_TEST(parseValue(NumberText(number).view(), back) == Verdict::Good);
        BOOST_TEST(back == number);
    }
}

BOOST_AUTO_TEST_SUITE_END()
