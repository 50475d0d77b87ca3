#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include "formats/xml/parse.hpp"
#include "tests/plugins/types/messages.hpp"

namespace {

using postbus::sdk::TypedReader;
using types::Colour;

constexpr std::string_view ns = "urn:test";

/// The value of a document's root, or why there is none.
template <class T>
struct Reading {
    T value{};
    bool good = false;
    std::string error;

    explicit Reading(std::string_view document) {
        postbus::xml::Tape tape;
        const auto parsed = postbus::xml::parse(document, {}, {}, tape);
        BOOST_REQUIRE_MESSAGE(parsed, document);
        TypedReader reader(ns);
        good = reader.read(tape.root(), value);
        error = reader.error();
    }
};
template <class T>
T value(std::string_view document) {
    Reading<T> reading(document);
    BOOST_TEST_CONTEXT(document) { BOOST_TEST(reading.good, reading.error); }
    return std::move(reading.value);
}
template <class T>
std::string error(std::string_view document) {
    Reading<T> reading(document);
    BOOST_TEST_CONTEXT(document) { BOOST_TEST(!reading.good); }
    return reading.error;
}

struct SayHi {
    std::optional<std::string> arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct Two {
    std::string a;
    std::int32_t b = 0;
    static constexpr auto fields() { return std::tuple{postbus::field("a", &Two::a), postbus::field("b", &Two::b)}; }
};

constexpr std::string_view xsi = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'";
std::string hi(std::string_view children) {
    return "<h:sayHi xmlns:h='urn:test' " + std::string(xsi) + ">" + std::string(children) + "</h:sayHi>";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(typed_read)

BOOST_AUTO_TEST_CASE(a_child_is_the_field_of_its_name) {
    BOOST_TEST(value<SayHi>(hi("<arg0>Zoë–日本 &lt;&amp;&quot;&gt;</arg0>")).arg0.value() == "Zoë–日本 <&\">");
    BOOST_TEST(value<SayHi>(hi("\n  <arg0> a\tb </arg0>\n")).arg0.value() == " a\tb ");
    BOOST_TEST(value<SayHi>(hi("<arg0><![CDATA[<x>]]> and more</arg0>")).arg0.value() == "<x> and more");
    BOOST_TEST(value<SayHi>(hi("<arg0>one<!-- two -->three</arg0>")).arg0.value() == "onethree");
}

BOOST_AUTO_TEST_CASE(absent_nil_and_empty_are_told_apart) {
    BOOST_TEST(!value<SayHi>(hi("")).arg0);
    BOOST_TEST(value<SayHi>(hi("<arg0/>")).arg0.value().empty());
    BOOST_TEST(value<SayHi>(hi("<arg0></arg0>")).arg0.value().empty());
    BOOST_TEST(!value<SayHi>(hi("<arg0 xsi:nil='true'/>")).arg0);
    BOOST_TEST(!value<SayHi>(hi("<arg0 xsi:nil='1'/>")).arg0);
    BOOST_TEST(!value<SayHi>(hi("<arg0 a='b' xsi:type='x' id='i' xsi:nil=' true '></arg0>")).arg0);
    BOOST_TEST(value<SayHi>(hi("<arg0 xsi:nil='false'>x</arg0>")).arg0.value() == "x");
    BOOST_TEST(value<SayHi>(hi("<arg0 xsi:nil='0'>x</arg0>")).arg0.value() == "x");
    BOOST_TEST(value<SayHi>(hi("<arg0 nil='true'>x</arg0>")).arg0.value() == "x");  // in no namespace: says nothing
}

BOOST_AUTO_TEST_CASE(a_nil_that_has_a_value_or_makes_no_sense_is_refused) {
    BOOST_TEST(error<SayHi>(hi("<arg0 xsi:nil='true'>x</arg0>")) ==
               "arg0 (line 1): xsi:nil says that it has no value, but it has content");
    BOOST_TEST(error<SayHi>(hi("<arg0 xsi:nil='yes'/>")) == "arg0 (line 1): 'yes' is no value of xsi:nil");
    BOOST_TEST(error<Two>("<t " + std::string(xsi) + "><a xsi:nil='true'/><b>1</b></t>") ==
               "a (line 1): is nil, but has to have a value");
}

BOOST_AUTO_TEST_CASE(a_nil_message_is_one_without_children) {
    BOOST_TEST(!value<SayHi>("<sayHi " + std::string(xsi) + " xsi:nil='true'/>").arg0);
    BOOST_TEST(error<Two>("<t " + std::string(xsi) + " xsi:nil='true'/>") == "t (line 1): element 'a' is missing");
}

BOOST_AUTO_TEST_CASE(children_come_in_any_order_and_with_any_decoration) {
    const Two two = value<Two>(
        "<t><b xmlns:x='urn:x' x:y='z' encodingStyle='http://schemas.xmlsoap.org/soap/encoding/'> 7 </b><a>x</a></t>");
    BOOST_TEST(two.a == "x");
    BOOST_TEST(two.b == 7);
}

BOOST_AUTO_TEST_CASE(children_in_the_services_namespace_are_taken_too) {
    BOOST_TEST(value<SayHi>("<sayHi xmlns='urn:test'><arg0>x</arg0></sayHi>").arg0.value() == "x");
    BOOST_TEST(error<SayHi>("<sayHi xmlns='urn:other'><arg0>x</arg0></sayHi>") ==
               "arg0 (line 1): is in namespace 'urn:other', but has to be in none");
    BOOST_TEST(error<SayHi>("<h:sayHi xmlns:h='urn:test'><arg0>x</arg0><h:arg0>y</h:arg0></h:sayHi>") ==
               "arg0 (line 1): occurs more than once");
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_silently) {
    BOOST_TEST(error<SayHi>("<s>\n<arg0>a</arg0>\n<arg1>b</arg1></s>") ==
               "arg1 (line 3): unknown element; known are: arg0");
    BOOST_TEST(error<Two>("<t><a>x</a>\n<a>y</a><b>1</b></t>") == "a (line 2): occurs more than once");
    BOOST_TEST(error<SayHi>("<s>stray<arg0>a</arg0></s>") == "s (line 1): text 'stray' where only elements belong");
    BOOST_TEST(error<SayHi>("<s><arg0>a<b/>c</arg0></s>") ==
               "arg0/b (line 1): a value of xs:string has no child elements");
    BOOST_TEST(error<Two>("<t><a>x</a><b><c/></b></t>") == "b/c (line 1): a value of xs:int has no child elements");
    BOOST_TEST(error<SayHi>("<s><arg0 href='#id0'/></s>").starts_with("arg0 (line 1): refers to '#id0'"));
    BOOST_TEST(error<postbus::Nothing>("<n><a/></n>") == "a (line 1): unknown element; none belongs here");
}

BOOST_AUTO_TEST_CASE(what_must_be_there_is_asked_for) {
    BOOST_TEST(error<Two>("<t>\n</t>") == "t (line 1): element 'a' is missing");
    BOOST_TEST(error<Two>("<t><a/></t>") == "t (line 1): element 'b' is missing");
    TypedReader reader(ns);
    Two two;
    BOOST_TEST(!reader.read(postbus::Element{}, two));
    BOOST_TEST(reader.error() == "message: element 'a' is missing");
    SayHi none;
    BOOST_TEST(reader.read(postbus::Element{}, none));
}

BOOST_AUTO_TEST_CASE(a_bad_value_is_named_with_its_place_and_type) {
    BOOST_TEST(error<Two>("<t><a>x</a>\n\n<b>abc</b></t>") == "b (line 3): 'abc' is no xs:int");
    BOOST_TEST(error<Two>("<t><a>x</a><b>2147483648</b></t>") == "b (line 1): '2147483648' is out of range for xs:int");
    BOOST_TEST(error<Two>("<t><a>x</a><b/></t>") == "b (line 1): '' is no xs:int");
    BOOST_TEST(error<Two>("<t><a>x</a><b>" + std::string(39, 'x') + "äää</b></t>") ==
               "b (line 1): '" + std::string(39, 'x') + "...' is no xs:int");
    BOOST_TEST(error<types::OptionsMessage>("<o><value><colour>blue</colour></value></o>") ==
               "value/colour (line 1): 'blue' is no Colour; one of: red, dark green");
    BOOST_TEST(error<types::PersonMessage>("<p><value><name/><home><street/></home>\n<child><name/><home>\n<stret/>"
                                           "</home></child></value></p>") ==
               "value/child/home/stret (line 3): unknown element; known are: street, city");
}

BOOST_AUTO_TEST_CASE(every_scalar_is_read) {
    const types::Scalars all = value<types::ScalarsMessage>(R"(<scalars><value>
        <string>text</string><boolean>1</boolean><byte>-128</byte><short>-32768</short><int>-2147483648</int>
        <long>-9223372036854775808</long><ubyte>255</ubyte><ushort>65535</ushort><uint>4294967295</uint>
        <ulong>18446744073709551615</ulong><float>1.5</float><double>-INF</double><decimal>1.10</decimal>
        <dateTime>2026-02-28T23:59:59.5Z</dateTime><base64>AAEC
        /w==</base64><colour>dark green</colour></value></scalars>)")
                                   .value;
    BOOST_TEST(all.text == "text");
    BOOST_TEST(all.flag);
    BOOST_TEST(all.int8 == -128);
    BOOST_TEST(all.int16 == -32768);
    BOOST_TEST(all.int32 == std::numeric_limits<std::int32_t>::min());
    BOOST_TEST(all.int64 == std::numeric_limits<std::int64_t>::min());
    BOOST_TEST(all.uint8 == 255);
    BOOST_TEST(all.uint16 == 65535);
    BOOST_TEST(all.uint32 == 4294967295u);
    BOOST_TEST(all.uint64 == std::numeric_limits<std::uint64_t>::max());
    BOOST_TEST(all.single == 1.5f);
    BOOST_TEST(all.number == -std::numeric_limits<double>::infinity());
    BOOST_TEST(all.amount.text == "1.10");
    BOOST_TEST(all.when.text == "2026-02-28T23:59:59.5Z");
    BOOST_TEST(all.bytes.bytes == std::string_view("\0\1\2\xFF", 4));
    BOOST_TEST((all.colour == Colour::DarkGreen));
}

BOOST_AUTO_TEST_CASE(structs_nest_and_lists_repeat_in_order) {
    const types::Person person =
        value<types::PersonMessage>("<p " + std::string(xsi) + R"(><value><name>Ada</name><phone>1</phone>
        <home><street>Main</street></home><phone/><colour>red</colour><former><street>A</street></former>
        <number>3</number><number>-1</number><former><city>C</city><street>B</street></former>
        <phone xsi:nil="true"/><work xsi:nil="true"/><colour> dark green </colour>
        <child><name>Bob</name><home><street>Side</street></home></child></value></p>)")
            .value;
    BOOST_TEST(person.name == "Ada");
    BOOST_TEST(person.home.street == "Main");
    BOOST_TEST(!person.home.city);
    BOOST_TEST(!person.work);
    BOOST_REQUIRE(person.former.size() == 2u);
    BOOST_TEST(person.former[0].street == "A");
    BOOST_TEST(person.former[1].street == "B");
    BOOST_TEST(person.former[1].city.value() == "C");
    BOOST_TEST(person.phones == (std::vector<std::string>{"1", ""}), boost::test_tools::per_element());  // nil: absent
    BOOST_TEST(person.numbers == (std::vector<std::int64_t>{3, -1}), boost::test_tools::per_element());
    BOOST_REQUIRE(person.colours.size() == 2u);
    BOOST_TEST((person.colours[1] == Colour::DarkGreen));
    BOOST_REQUIRE(person.children.size() == 1u);
    BOOST_TEST(person.children[0].name == "Bob");
}

BOOST_AUTO_TEST_SUITE_END()
