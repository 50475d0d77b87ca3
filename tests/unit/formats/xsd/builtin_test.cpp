#include "formats/xsd/reader/builtin.hpp"

#include <boost/test/unit_test.hpp>

using namespace postbus;

namespace {

bool takes(const char* type, std::string_view value) {
    const auto* builtin = xsd::findBuiltin(type);
    BOOST_REQUIRE(builtin);
    return bool(xsd::checkValue(*builtin, value));
}

std::string refusal(const char* type, std::string_view value) {
    const auto checked = xsd::checkValue(*xsd::findBuiltin(type), value);
    BOOST_REQUIRE(!checked);
    return checked.error().message();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(builtin)

BOOST_AUTO_TEST_CASE(whole_numbers_have_their_range) {
    for (const char* each : {"0", "-1", "+7", " 2147483647 ", "-2147483648", "007"})
        BOOST_TEST(takes("int", each), each);
    for (const char* each : {"", "1.0", "2147483648", "-2147483649", "1e3", "a", "-", "1 2"})
        BOOST_TEST(!takes("int", each), each);
    BOOST_TEST(takes("unsignedLong", "18446744073709551615"));
    BOOST_TEST(!takes("unsignedLong", "18446744073709551616"));
    BOOST_TEST(!takes("unsignedByte", "-1"));
    BOOST_TEST(takes("unsignedByte", "-0"));
    BOOST_TEST(takes("integer", "123456789012345678901234567890"));
    BOOST_TEST(!takes("positiveInteger", "0"));
    BOOST_TEST(!takes("negativeInteger", "0"));
}

BOOST_AUTO_TEST_CASE(numbers_with_a_point) {
    for (const char* each : {"1", "1.", ".5", "-1.50", "+0"}) BOOST_TEST(takes("decimal", each), each);
    for (const char* each : {"", ".", "1,5", "1e5", "INF"}) BOOST_TEST(!takes("decimal", each), each);
    for (const char* each : {"1e5", "-1.5E-3", "INF", "-INF", "NaN", ".5e+1"}) BOOST_TEST(takes("double", each), each);
    for (const char* each : {"e5", "1e", "Infinity", "0x10", "1e1.5"}) BOOST_TEST(!takes("double", each), each);
}

BOOST_AUTO_TEST_CASE(dates_and_times) {
    for (const char* each : {"2026-01-31", "2024-02-29", "-0044-03-15", "12026-01-01Z", "2026-01-31+14:00"})
        BOOST_TEST(takes("date", each), each);
    for (const char* each :
         {"2026-13-01", "2026-02-29", "31.1.2026", "2026-1-31", "02026-01-01", "2026-01-31+14:01", ""})
        BOOST_TEST(!takes("date", each), each);
    for (const char* each : {"12:30:00", "23:59:59.999", "24:00:00", "00:00:00-05:00"})
        BOOST_TEST(takes("time", each), each);
    for (const char* each : {"25:00:00", "24:00:01", "12:30", "12:30:60", "12:30:00."})
        BOOST_TEST(!takes("time", each), each);
    BOOST_TEST(takes("dateTime", "2026-01-31T12:30:00.5Z"));
    BOOST_TEST(!takes("dateTime", "2026-01-31 12:30:00"));
    BOOST_TEST(!takes("dateTime", "2026-01-31"));
}

BOOST_AUTO_TEST_CASE(bytes_and_booleans) {
    for (const char* each : {"", "AP8=", "QUJD\nREVG", "QQ=="}) BOOST_TEST(takes("base64Binary", each), each);
    for (const char* each : {"A", "AP8", "A=P8", "A-8=", "===="}) BOOST_TEST(!takes("base64Binary", each), each);
    BOOST_TEST(takes("hexBinary", "00fF"));
    BOOST_TEST(!takes("hexBinary", "0"));
    for (const char* each : {"true", "0", " 1 "}) BOOST_TEST(takes("boolean", each), each);
    for (const char* each : {"TRUE", "yes", ""}) BOOST_TEST(!takes("boolean", each), each);
}

BOOST_AUTO_TEST_CASE(text_is_not_looked_at) {
    for (const char* type : {"string", "anyURI", "QName", "duration", "anyType", "token"})
        BOOST_TEST(takes(type, "any = thing"));
    BOOST_TEST(!xsd::findBuiltin("str"));
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_was_expected) {
    BOOST_TEST(refusal("int", "abc") == "expected a whole number (xs:int), got 'abc'");
    BOOST_TEST(refusal("short", "40000") == "expected a whole number from -32768 to 32767 (xs:short), got '40000'");
    BOOST_TEST(refusal("positiveInteger", "0") == "expected a whole number not below 1 (xs:positiveInteger), got '0'");
    BOOST_TEST(refusal("date", "31.1.2026") == "expected a date like 2026-01-31 (xs:date), got '31.1.2026'");
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_digits_in_json) {
    const std::pair<const char*, const char*> pairs[] = {
        {"1.10", "1.10"}, {"+5", "5"},           {"007", "7"},
        {".5", "0.5"},    {"-.5", "-0.5"},       {"5.", "5"},
        {"-0", "-0"},     {"1E+05", "1E+05"},    {" 2 ", "2"},
        {"INF", ""},      {"NaN", ""},           {"x", ""},
        {"", ""},         {"00.10e3", "0.10e3"}, {"123456789012345678901234567890", "123456789012345678901234567890"}};
    for (const auto& [value, number] : pairs) BOOST_TEST(xsd::jsonNumber(value) == number, value);
}

BOOST_AUTO_TEST_SUITE_END()
