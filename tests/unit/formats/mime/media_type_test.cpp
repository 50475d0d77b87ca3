#include <boost/test/unit_test.hpp>

#include "formats/mime/media_type.hpp"

using postbus::mime::MediaType;

namespace {

MediaType good(std::string_view field) {
    auto media = MediaType::parse(field);
    BOOST_REQUIRE_MESSAGE(media, field);
    return *media;
}

std::string parameter(std::string_view field, std::string_view name) {
    std::string memory;
    const auto value = good(field).parameter(name, memory);
    return value ? std::string(*value) : "(none)";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(media_type)

BOOST_AUTO_TEST_CASE(compares_its_type_in_any_case) {
    const MediaType media = good("Text/XML");

    BOOST_TEST(media.is("text", "xml"));
    BOOST_TEST(!media.is("text", "xm"));
    BOOST_TEST(!media.is("application", "xml"));
    BOOST_TEST(media.type() == "Text");
    BOOST_TEST(good("application/soap+xml;charset=utf-8").subtype() == "soap+xml");
}

BOOST_AUTO_TEST_CASE(finds_parameters_in_any_order_and_case_past_quoted_semicolons) {
    constexpr std::string_view field = "Text/XML ; x=\"a;charset=bogus\" ;charset=\"utf-8\";y=1";

    BOOST_TEST(good(field).is("text", "xml"));
    BOOST_TEST(parameter(field, "charset") == "utf-8");
    BOOST_TEST(parameter(field, "CharSet") == "utf-8");
    BOOST_TEST(parameter(field, "x") == "a;charset=bogus");
    BOOST_TEST(parameter(field, "y") == "1");
    BOOST_TEST(parameter(field, "z") == "(none)");
    BOOST_TEST(parameter("text/xml;CHARSET=ISO-8859-1", "charset") == "ISO-8859-1");
}

BOOST_AUTO_TEST_CASE(takes_escapes_out_of_quoted_values) {
    constexpr std::string_view field = R"(multipart/related; start="<a\"b\\c\d>"; charset=utf-8)";

    BOOST_TEST(parameter(field, "start") == R"(<a"b\cd>)");
    BOOST_TEST(parameter(field, "charset") == "utf-8");
    BOOST_TEST(parameter(R"(text/xml; a="\";charset=bogus"; charset=b)", "charset") == "b");
    BOOST_TEST(parameter("text/xml; a=\"\"", "a") == "");
}

BOOST_AUTO_TEST_CASE(allows_empty_parameters_and_space_around_semicolons) {
    BOOST_TEST(parameter(" text/xml;; ;\tcharset=utf-8 ; ", "charset") == "utf-8");
    BOOST_TEST(parameter("text/xml;", "charset") == "(none)");
}

BOOST_AUTO_TEST_CASE(takes_unquoted_values_that_clients_do_send) {
    constexpr std::string_view field = "multipart/related; type=text/xml; start=<root@a>; action=urn:a:b";

    BOOST_TEST(parameter(field, "type") == "text/xml");
    BOOST_TEST(parameter(field, "start") == "<root@a>");
    BOOST_TEST(parameter(field, "action") == "urn:a:b");
}

BOOST_AUTO_TEST_CASE(refuses_what_is_malformed_or_ambiguous) {
    for (const std::string_view field : {"",
                                         " ",
                                         "text",
                                         "text/",
                                         "/xml",
                                         "text /xml",
                                         "text/ xml",
                                         "text/xml charset=utf-8",
                                         "text/xml; charset",
                                         "text/xml; charset=",
                                         "text/xml; charset =utf-8",
                                         "text/xml; charset= utf-8",
                                         "text/xml; =utf-8",
                                         "text/xml; charset=\"utf-8",
                                         "text/xml; charset=\"utf-8\\\"",
                                         "text/xml; charset=\"utf-8\"x",
                                         "text/xml; charset=\"\x01\"",
                                         "text/xml; charset=\"\\\x7F\"",
                                         "text/xml; charset=utf-8, text/xml",
                                         "text/xml, text/html",
                                         "text/xml; charset=utf-8; Charset=iso-8859-1",
                                         "text/xml; ch\xC3\xA4r=x",
                                         "text/xml; a=\xC3\xA4",
                                         "te(xt/xml",
                                         "text/xml/x",
                                         "text/xml; a=b\\c"})
        BOOST_TEST(!MediaType::parse(field), field);
}

BOOST_AUTO_TEST_CASE(refuses_very_many_parameters) {
    std::string field = "text/xml";
    for (int i = 0; i < MediaType::mostParameters; ++i) field += ";p" + std::to_string(i) + "=1";
    BOOST_TEST(!!MediaType::parse(field));

    BOOST_TEST(!MediaType::parse(field + ";q=1"));
}

BOOST_AUTO_TEST_SUITE_END()
