#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

#include "tests/plugins/types/messages.hpp"
#include "tests/support/plugin_host.hpp"

namespace {

using postbus::sdk::TypedWriter;
using postbus::test::PluginCall;
using postbus::test::PluginHost;

/// What a struct becomes as the element {urn:test}out.
template <class T>
std::string written(const T& value, std::string_view childUri = "") {
    PluginCall call("<in/>");
    const postbus_host& host = PluginHost::table();
    TypedWriter writer(*host.writer, call.c(), childUri);
    BOOST_TEST(writer.write("urn:test", "out", value), writer.error());
    host.reply(call.c());
    const auto answer = call.answer();
    return answer.fault ? "fault: " + answer.reason : answer.payload;
}
template <class T>
std::string error(const T& value) {
    PluginCall call("<in/>");
    TypedWriter writer(*PluginHost::table().writer, call.c(), "");
    BOOST_TEST(!writer.write("urn:test", "out", value));
    return writer.error();
}
std::string out(const std::string& content) {
    return content.empty() ? "<ns2:out xmlns:ns2=\"urn:test\"/>"
                           : "<ns2:out xmlns:ns2=\"urn:test\">" + content + "</ns2:out>";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(typed_write)

BOOST_AUTO_TEST_CASE(fields_are_unqualified_children_in_order) {
    BOOST_TEST(written(types::Address{"Main & Side", "Zoë"}) ==
               out("<street>Main &amp; Side</street><city>Zoë</city>"));
}

BOOST_AUTO_TEST_CASE(an_empty_optional_is_left_out_and_an_empty_string_is_not) {
    BOOST_TEST(written(types::TextMessage{std::nullopt}) == out(""));
    BOOST_TEST(written(types::TextMessage{""}) == out("<value/>"));
    BOOST_TEST(written(postbus::Nothing{}) == out(""));
}

BOOST_AUTO_TEST_CASE(a_contract_may_want_qualified_children) {
    BOOST_TEST(written(types::TextMessage{"x"}, "urn:test") == out("<ns2:value>x</ns2:value>"));
}

BOOST_AUTO_TEST_CASE(lists_repeat_and_structs_nest) {
    types::Person person;
    person.name = "Ada";
    person.home.street = "Main";
    person.phones = {"1", "", "3"};
    person.numbers = {-1, 2};
    person.colours = {types::Colour::Red, types::Colour::DarkGreen};
    person.children.push_back({"Bob", {"Side", "Town"}, {}, {}, {}, {}, {}, {}});

    BOOST_TEST(written(person) ==
               out("<name>Ada</name><home><street>Main</street></home><phone>1</phone><phone/><phone>3</phone>"
                   "<colour>red</colour><colour>dark green</colour><number>-1</number><number>2</number>"
                   "<child><name>Bob</name><home><street>Side</street><city>Town</city></home></child>"));
}

BOOST_AUTO_TEST_CASE(every_scalar_has_its_text) {
    types::Scalars all;
    all.text = "<&>";
    all.flag = true;
    all.int8 = -128;
    all.uint64 = std::numeric_limits<std::uint64_t>::max();
    all.single = 0.1f;
    all.number = std::numeric_limits<double>::infinity();
    all.amount.text = "1.10";
    all.when.text = "2026-02-28T12:00:00Z";
    all.bytes.bytes = std::string("\0\xFF", 2);
    all.colour = types::Colour::DarkGreen;

    BOOST_TEST(written(all) ==
               out("<string>&lt;&amp;&gt;</string><boolean>true</boolean><byte>-128</byte><short>0</short><int>0</int>"
                   "<long>0</long><ubyte>0</ubyte><ushort>0</ushort><uint>0</uint><ulong>18446744073709551615</ulong>"
                   "<float>0.1</float><double>INF</double><decimal>1.10</decimal>"
                   "<dateTime>2026-02-28T12:00:00Z</dateTime><base64>AP8=</base64><colour>dark green</colour>"));
}

BOOST_AUTO_TEST_CASE(long_bytes_are_written_in_pieces_without_a_seam) {
    types::Holding<postbus::Base64> message;
    for (int i = 0; i < 100'000; ++i) message.value.bytes.push_back(static_cast<char>(i * 7));

    const std::string text = written(message);

    const std::size_t begin = text.find("<value>") + 7;
    postbus::Base64 back;
    const auto verdict =
        postbus::sdk::parseValue(std::string_view(text).substr(begin, text.find("</value>") - begin), back);
    BOOST_TEST((verdict == postbus::sdk::Verdict::Good));
    BOOST_TEST((back == message.value));
}

BOOST_AUTO_TEST_CASE(a_value_without_a_text_in_its_type_is_refused_by_its_place) {
    BOOST_TEST(error(types::Holding<postbus::Decimal>{{"1,5"}}) == "value: '1,5' is no xs:decimal");
    BOOST_TEST(error(types::Holding<postbus::DateTime>{{"yesterday"}}) == "value: 'yesterday' is no xs:dateTime");
    types::ScalarsMessage message;
    message.value.amount.text = "0";
    message.value.when.text = "2026-02-28T12:00:00Z";
    message.value.colour = static_cast<types::Colour>(7);
    BOOST_TEST(error(message) == "value/colour: '7' is no Colour");
}

BOOST_AUTO_TEST_CASE(a_character_that_xml_forbids_is_the_writers_error) {
    BOOST_TEST(written(types::TextMessage{"a\x0B"
                                          "b"})
                   .starts_with("fault: "));
    BOOST_TEST(written(types::TextMessage{"a\xC3(b"}).starts_with("fault: "));
}

BOOST_AUTO_TEST_SUITE_END()
