#include <boost/test/unit_test.hpp>

#include "cli/call/answer_print.hpp"
#include "cli/call/answer_tree.hpp"
#include "cli/call/envelope.hpp"
#include "cli/call/example.hpp"
#include "cli/call/parameters.hpp"
#include "tests/support/document.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

constexpr const char* schema = R"(<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:a"
    xmlns:a="urn:a" elementFormDefault="qualified">
  <xs:element name="answer" type="a:Answer"/>
  <xs:complexType name="Answer"><xs:sequence>
    <xs:element name="text" type="xs:string" minOccurs="0"/>
    <xs:element name="count" type="xs:int" minOccurs="0" nillable="true"/>
    <xs:element name="price" type="xs:decimal" minOccurs="0"/>
    <xs:element name="good" type="xs:boolean" minOccurs="0"/>
    <xs:element name="item" type="a:Item" minOccurs="0" maxOccurs="unbounded"/>
    <xs:element name="sizes" minOccurs="0"><xs:simpleType><xs:list itemType="xs:int"/></xs:simpleType></xs:element>
    <xs:element name="any" minOccurs="0"/>
    <xs:choice minOccurs="0"><xs:element name="one" type="xs:int" maxOccurs="5"/><xs:element name="other" type="a:Answer"/></xs:choice>
  </xs:sequence><xs:attribute name="id" type="xs:int"/></xs:complexType>
  <xs:complexType name="Item"><xs:simpleContent><xs:extension base="xs:float"><xs:attribute name="unit"/></xs:extension>
    </xs:simpleContent></xs:complexType>
  <xs:complexType name="More"><xs:complexContent><xs:extension base="a:Answer"><xs:sequence>
    <xs:element name="extra" type="xs:int"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
  <xs:element name="number" type="xs:int"/>
</xs:schema>)";

struct Fixture {
    Fixture() : document(schema) { BOOST_REQUIRE(set.add(document.root(), "a.xsd")); }

    cli::AnswerNode node(const std::string& content, const std::string& attributes = "", const char* name = "answer") {
        answer = std::make_unique<Document>(
            "<" + std::string(name) + " xmlns=\"urn:a\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" " +
            attributes + ">" + content + "</" + name + ">");
        const auto element = set.element({"urn:a", name});
        return cli::readNode(answer->root(), element ? (*element)->type : nullptr, set);
    }
    std::string json(const std::string& content, const std::string& attributes = "", const char* name = "answer") {
        Buffer out;
        json::Writer writer(out);
        cli::printJson(writer, node(content, attributes, name));
        return std::string(out.view());
    }

    Document document;
    xsd::SchemaSet set;
    std::unique_ptr<Document> answer;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(call_answer, Fixture)

BOOST_AUTO_TEST_CASE(json_has_the_types_of_the_schema) {
    BOOST_TEST(json("<text>7</text><count>07</count><price>1.10</price><good>1</good>") ==
               R"({"text":"7","count":7,"price":1.10,"good":true,"item":[]})");
    BOOST_TEST(json("<count xsi:nil=\"true\"/>", "id=\"3\"") == R"({"@id":3,"count":null,"item":[]})");
    BOOST_TEST(json("<item unit=\"kg\">1.5</item>") == R"({"item":[{"@unit":"kg","#text":1.5}]})");
    BOOST_TEST(json("<item>INF</item><sizes>1 2</sizes>") == R"({"item":[{"#text":"INF"}],"sizes":[1,2]})");
    BOOST_TEST(json("<one>1</one>") == R"({"one":[1],"item":[]})");
    BOOST_TEST(json("<count>many</count>") == R"({"count":"many","item":[]})");
    BOOST_TEST(json("5", "", "number") == "5");
}

BOOST_AUTO_TEST_CASE(json_of_what_no_schema_knows_is_told_by_what_is_there) {
    BOOST_TEST(json("<a>1</a><b c=\"d\">2</b><a/>", "", "unknown") == R"({"a":["1",""],"b":{"@c":"d","#text":"2"}})");
    BOOST_TEST(json("<any><x>1</x><x xmlns=\"urn:b\">2</x></any>") == R"({"any":{"x":"1","{urn:b}x":"2"},"item":[]})");
    BOOST_TEST(json("text", "", "unknown") == R"("text")");
}

BOOST_AUTO_TEST_CASE(a_type_that_the_answer_names_counts) {
    BOOST_TEST(json("<extra>5</extra>", "xsi:type=\"More\"") == R"({"extra":5,"item":[]})");
    BOOST_TEST(json("<extra>5</extra>", "xsi:type=\"Unknown\"") == R"({"extra":"5","item":[]})");
    BOOST_TEST(json("<any xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xsi:type=\"xs:int\">5</any>") ==
               R"({"any":5,"item":[]})");
}

BOOST_AUTO_TEST_CASE(text_is_indented_and_steers_no_terminal) {
    BOOST_TEST(
        cli::printText(node("<text>a&#x85;b</text><count xsi:nil=\"1\"/><item unit=\"kg\">1</item><item>2</item>"
                            "<sizes>1 2</sizes><other><text>x\ny</text></other>"),
                       "answer") ==
        "text: a?b\ncount: (nil)\nitem:\n  @unit: kg\n  #text: 1\nitem:\n  #text: 2\nsizes: 1 2\nother:\n  text:\n"
        "    x\n    y\n");
    BOOST_TEST(cli::printText(node("5", "", "number"), "number") == "number: 5\n");
}

BOOST_AUTO_TEST_CASE(faults_of_both_versions_are_read) {
    const auto read = [](const std::string& ns, const std::string& body) {
        cli::HttpAnswer http;
        http.status = 500;
        http.headers.emplace_back("content-type", "text/xml; charset=utf-8");
        http.body = "<e:Envelope xmlns:e=\"" + ns + "\"><e:Body>" + body + "</e:Body></e:Envelope>";
        auto its = cli::readAnswer(http);
        BOOST_REQUIRE(its);
        return *std::move(its);
    };
    const auto old =
        read("http://schemas.xmlsoap.org/soap/envelope/",
             "<e:Fault><faultcode>e:Client</faultcode><faultstring>no</faultstring><detail><a/></detail></e:Fault>");
    BOOST_REQUIRE(old.fault);
    BOOST_TEST(old.fault->code == "Client");
    BOOST_TEST(old.fault->reason == "no");
    BOOST_TEST(bool(old.fault->detail.firstChild()));
    const auto recent =
        read("http://www.w3.org/2003/05/soap-envelope",
             "<e:Fault><e:Code><e:Value>e:Sender</e:Value><e:Subcode><e:Value>x:Late</e:Value></e:Subcode>"
             "</e:Code><e:Reason><e:Text xml:lang=\"en\">no</e:Text></e:Reason></e:Fault>");
    BOOST_REQUIRE(recent.fault);
    BOOST_TEST(recent.fault->code == "Sender");
    BOOST_TEST(recent.fault->subcodes.front() == "Late");
    BOOST_TEST(!recent.fault->detail);
}

BOOST_AUTO_TEST_CASE(what_is_no_envelope_is_told_with_the_status) {
    cli::HttpAnswer http;
    http.status = 404;
    http.reason = "Not Found";
    http.headers.emplace_back("Content-Type", "text/html");
    http.body = "<h1>no\x1B[2J</h1>";

    const auto refused = cli::readAnswer(http);

    BOOST_REQUIRE(!refused);
    BOOST_TEST(refused.error().message() == "HTTP 404 Not Found: the answer is no SOAP envelope: <h1>no?[2J</h1>");
}

BOOST_AUTO_TEST_CASE(given_xml_loses_its_declaration_and_encoding) {
    const auto plain =
        cli::readGivenXml("\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a><!-- kept --></a>\n");
    BOOST_REQUIRE(plain);
    BOOST_TEST(plain->text == "<a><!-- kept --></a>");
    BOOST_TEST(!plain->isEnvelope);
    const auto latin = cli::readGivenXml("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xE9</a>");
    BOOST_REQUIRE(latin);
    BOOST_TEST(latin->text == "<a>\xC3\xA9</a>");
    BOOST_TEST(cli::readGivenXml("<e:Envelope xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"/>")->isEnvelope);
    BOOST_TEST(!cli::readGivenXml("<a>"));
    BOOST_TEST(
        *cli::readGivenHeader("<e:Header xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"><a/><b/></e:Header>") ==
        "<a xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"/><b "
        "xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"/>");
}

BOOST_AUTO_TEST_CASE(parameters_are_the_keys_that_there_are) {
    std::string keys;
    for (const auto& each : cli::parametersOf(set, {*set.element({"urn:a", "answer"})}).all)
        keys += each.key + ':' + each.type + (each.repeated ? "*" : "") + ' ';
    BOOST_TEST(keys ==
               "@id:int text:string count:int price:decimal good:boolean item:float* item.@unit:anySimpleType "
               "sizes:list of int any:anyType one:int* other:again, as above ");
}

BOOST_AUTO_TEST_CASE(an_example_is_a_request_that_can_be_edited) {
    const std::string text = cli::exampleOf(set, **set.element({"urn:a", "answer"}));
    const Document example(text);  // well-formed, with its comments
    BOOST_TEST(example.text("price") == "0.0");
    BOOST_TEST(text.find("<!-- any number of times -->\n  <tns:item unit=\"?\">0.0</tns:item>") != std::string::npos);
    BOOST_TEST(text.find("<!-- or instead: other -->") != std::string::npos);
    BOOST_TEST(json(text.substr(text.find('>') + 1, text.rfind("</") - text.find('>') - 1), "xmlns:tns=\"urn:a\"")
                   .find("\"one\":[0]") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
