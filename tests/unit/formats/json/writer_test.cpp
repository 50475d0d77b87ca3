#include "formats/json/writer.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

using postbus::Buffer;
using postbus::json::Writer;

namespace {

template <class Write>
std::string written(Write write) {
    Buffer buffer;
    Writer json(buffer);
    write(json);
    return std::string(buffer.view());
}

std::string text(std::string_view value) {
    return written([&](Writer& json) { json.value(value); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_writer)

BOOST_AUTO_TEST_CASE(sets_commas_between_members_and_elements_and_nowhere_else) {
    const std::string json = written([](Writer& out) {
        out.object([&] {
            out.member("a", 1);
            out.array("b", [&] {
                out.value("x");
                out.object([] {});
                out.array([&] { out.value(true); });
            });
            out.object("c", [&] { out.member("d", false); });
            out.key("e");
            out.null();
        });
    });

    BOOST_TEST(json == R"({"a":1,"b":["x",{},[true]],"c":{"d":false},"e":null})");
}

BOOST_AUTO_TEST_CASE(escapes_what_a_json_string_may_not_hold) {
    BOOST_TEST(text("say \"hi\"\\\n\r\t\x01\x1b") == R"("say \"hi\"\\\n\r\t\u0001\u001b")");
    BOOST_TEST(text(std::string_view("a\0b", 3)) == R"("a\u0000b")");
}

BOOST_AUTO_TEST_CASE(passes_utf8_through) {
    BOOST_TEST(text("Zoë–日本 \xf0\x9f\x98\x80") == "\"Zoë–日本 \xf0\x9f\x98\x80\"");
}

BOOST_AUTO_TEST_CASE(replaces_bytes_that_are_not_utf8) {
    BOOST_TEST(text("a\xff"
                    "b") ==
               "\"a\xef\xbf\xbd"
               "b\"");
    BOOST_TEST(text("\xe4\xb8") == "\"\xef\xbf\xbd\xef\xbf\xbd\"");  // cut off
    BOOST_TEST(text("\xc0\xaf") == "\"\xef\xbf\xbd\xef\xbf\xbd\"");  // overlong
    BOOST_TEST(text("\xed\xa0\x80").size() == 2 + 3 * 3);            // a surrogate
    BOOST_TEST(text("\xf4\x90\x80\x80").size() == 2 + 4 * 3);        // beyond U+10FFFF
}

BOOST_AUTO_TEST_CASE(writes_numbers_that_read_back_the_same) {
    BOOST_TEST(written([](Writer& json) { json.value(std::numeric_limits<std::int64_t>::min()); }) ==
               "-9223372036854775808");
    BOOST_TEST(written([](Writer& json) { json.value(std::numeric_limits<std::uint64_t>::max()); }) ==
               "18446744073709551615");
    BOOST_TEST(written([](Writer& json) { json.value(0.1); }) == "0.1");
    BOOST_TEST(written([](Writer& json) { json.value(std::numeric_limits<double>::infinity()); }) == "null");
}

BOOST_AUTO_TEST_SUITE_END()
