#include <boost/test/unit_test.hpp>

#include <fstream>

#include "cli/call/content_writer.hpp"
#include "cli/call/given.hpp"
#include "tests/support/document.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

constexpr const char* orders = R"(<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:o"
    xmlns:o="urn:o" elementFormDefault="qualified">
  <xs:element name="order"><xs:complexType><xs:sequence>
    <xs:element name="customer" type="o:Party"/>
    <xs:element name="line" type="o:Line" minOccurs="0" maxOccurs="unbounded"/>
    <xs:element name="note" type="xs:string" form="unqualified" minOccurs="0" maxOccurs="2"/>
    <xs:element name="due" type="xs:date" nillable="true"/>
    <xs:element name="currency" type="xs:string" default="EUR"/>
    <xs:choice minOccurs="0"><xs:element name="card" type="xs:string"/><xs:element name="cash" type="xs:boolean"/></xs:choice>
    <xs:element name="seal" type="xs:base64Binary" minOccurs="0"/>
    <xs:element name="sizes" minOccurs="0"><xs:simpleType><xs:list itemType="xs:int"/></xs:simpleType></xs:element>
  </xs:sequence><xs:attribute name="id" type="xs:int"/></xs:complexType></xs:element>
  <xs:complexType name="Party"><xs:sequence><xs:element name="name" type="xs:string"/></xs:sequence></xs:complexType>
  <xs:complexType name="Company"><xs:complexContent><xs:extension base="o:Party"><xs:sequence>
    <xs:element name="vat" type="xs:string"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
  <xs:complexType name="Line"><xs:sequence>
    <xs:element name="sku" type="xs:string"/><xs:element name="count" type="xs:int" minOccurs="0"/>
    <xs:element name="price" minOccurs="0"><xs:complexType><xs:simpleContent><xs:extension base="xs:decimal">
      <xs:attribute name="per" type="xs:string" use="required"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
  </xs:sequence></xs:complexType>
  <xs:element name="amount" type="xs:int"/>
  <xs:element name="mix"><xs:complexType><xs:choice maxOccurs="unbounded">
    <xs:element name="a" type="xs:int"/><xs:element name="b" type="xs:int"/></xs:choice></xs:complexType></xs:element>
  <xs:element name="pairs"><xs:complexType><xs:sequence maxOccurs="unbounded">
    <xs:element name="key" type="xs:string"/><xs:element name="value" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
  <xs:element name="either"><xs:complexType><xs:choice>
    <xs:element name="a" type="xs:int"/><xs:sequence><xs:element name="b" type="xs:int"/><xs:element name="c" type="xs:int"/></xs:sequence>
    </xs:choice></xs:complexType></xs:element>
  <xs:element name="loop" type="o:Loop"/>
  <xs:complexType name="Loop"><xs:sequence><xs:element name="again" type="o:Loop"/></xs:sequence></xs:complexType>
</xs:schema>)";

/// What comes of KEY=VALUE arguments for an element of the schema: its content as text, or what is wrong.
struct Request {
    Request(std::initializer_list<const char*> elements, std::vector<std::string> arguments) : document(orders) {
        BOOST_REQUIRE(set.add(document.root(), "o.xsd"));
        std::vector<const xsd::ElementDeclaration*> declared;
        for (const char* each : elements) declared.push_back(*set.element({"urn:o", each}));
        cli::GivenTree tree(set, declared, "place");
        const auto given = tree.set(arguments);
        if (!given) {
            error = given.error().message();
            return;
        }
        auto payload = cli::writePayload(tree.root());
        if (payload)
            xml = *payload;
        else
            error = payload.error().message();
    }
    Document document;
    xsd::SchemaSet set;
    std::string xml, error;
};

std::string xmlOf(std::initializer_list<const char*> elements, std::vector<std::string> arguments) {
    const Request request(elements, std::move(arguments));
    BOOST_TEST(request.error == "");
    return request.xml;
}
std::string errorOf(std::initializer_list<const char*> elements, std::vector<std::string> arguments) {
    const Request request(elements, std::move(arguments));
    BOOST_TEST(request.xml == "");
    return request.error;
}

constexpr const char* nil = "<tns:due xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>";
const std::string order = "<tns:order xmlns:tns=\"urn:o\"";
const std::string ann = "<tns:customer><tns:name>Ann</tns:name></tns:customer>";
const std::string rest = "<tns:currency>EUR</tns:currency>";

}  // namespace

BOOST_AUTO_TEST_SUITE(call_request)

BOOST_AUTO_TEST_CASE(stands_in_the_order_and_namespaces_of_the_schema) {
    BOOST_TEST(xmlOf({"order"}, {"note=n & m", "due=2026-01-31", "@id=7", "customer.name=Ann"}) ==
               order + " id=\"7\">" + ann + "<note>n &amp; m</note><tns:due>2026-01-31</tns:due>" + rest +
                   "</tns:order>");
}

BOOST_AUTO_TEST_CASE(has_defaults_and_nil_where_nothing_is_given) {
    BOOST_TEST(xmlOf({"order"}, {"customer.name=Ann"}) == order + ">" + ann + nil + rest + "</tns:order>");
    BOOST_TEST(xmlOf({"order"}, {"customer.name=Ann", "due.@xsi:nil=true", "currency=USD"}) ==
               order + ">" + ann + nil + "<tns:currency>USD</tns:currency></tns:order>");
}

BOOST_AUTO_TEST_CASE(repeats_by_repeated_keys_and_by_index) {
    const std::string lines =
        "<tns:line><tns:sku>A</tns:sku><tns:count>1</tns:count></tns:line>"
        "<tns:line><tns:sku>B</tns:sku><tns:count>2</tns:count></tns:line>";
    for (const auto& each :
         {std::vector<std::string>{"line.sku=A", "line.count=1", "line.sku=B", "line.count=2"},
          std::vector<std::string>{"line[0].sku=A", "line[1].sku=B", "line[1].count=2", "line[0].count=1"}}) {
        std::vector<std::string> arguments = each;
        arguments.emplace_back("customer.name=Ann");
        BOOST_TEST(xmlOf({"order"}, arguments) == order + ">" + ann + lines + nil + rest + "</tns:order>");
    }
    BOOST_TEST(errorOf({"order"}, {"line[1].sku=A"}) == "'line[1]' is given before [0]");
    BOOST_TEST(errorOf({"order"}, {"due=2026-01-31", "due=2026-02-01"}) ==
               "'due' is given twice, and there is room for one");
    BOOST_TEST(errorOf({"order"}, {"due[1]=2026-01-31"}) == "'due' occurs once at most: [1] is none");
    BOOST_TEST(errorOf({"order"}, {"customer.name=A", "note=1", "note=2", "note=3"}).find("it occurs too often") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_may_have_attributes_and_be_lists) {
    BOOST_TEST(
        xmlOf({"order"}, {"customer.name=Ann", "line.sku=A", "line.price=1.50", "line.price.@per=kg", "sizes=1 2 3"})
            .find("<tns:price per=\"kg\">1.50</tns:price></tns:line>") != std::string::npos);
    BOOST_TEST(errorOf({"order"}, {"sizes=1 b"}) == "sizes: expected a whole number (xs:int), got 'b'");
    BOOST_TEST(errorOf({"order"}, {"customer.name=A", "line.sku=A", "line.price=1"}) ==
               "required and missing: line.price.@per");
}

BOOST_AUTO_TEST_CASE(choices_take_one_and_repeated_ones_keep_the_given_order) {
    BOOST_TEST(xmlOf({"order"}, {"customer.name=Ann", "cash=true"}).find("<tns:cash>true</tns:cash>") !=
               std::string::npos);
    BOOST_TEST(errorOf({"order"}, {"customer.name=Ann", "cash=true", "card=1"}) ==
               "there is no room for 'card' beside what else is given: the schema has a choice there");
    BOOST_TEST(xmlOf({"mix"}, {"b=1", "a=2", "b=3"}) ==
               "<tns:mix xmlns:tns=\"urn:o\"><tns:b>1</tns:b><tns:a>2</tns:a><tns:b>3</tns:b></tns:mix>");
    BOOST_TEST(xmlOf({"either"}, {"c=2", "b=1"}) ==
               "<tns:either xmlns:tns=\"urn:o\"><tns:b>1</tns:b><tns:c>2</tns:c></tns:either>");
    BOOST_TEST(errorOf({"either"}, {}) == "required and missing: a or b or c");
    BOOST_TEST(errorOf({"either"}, {"b=1"}) == "required and missing: c");
    BOOST_TEST(errorOf({"mix"}, {}) == "required and missing: a or b");
}

BOOST_AUTO_TEST_CASE(repeated_groups_go_round) {
    BOOST_TEST(xmlOf({"pairs"}, {"key=a", "value=1", "key=b", "value=2"}) ==
               "<tns:pairs xmlns:tns=\"urn:o\"><tns:key>a</tns:key><tns:value>1</tns:value><tns:key>b</tns:key>"
               "<tns:value>2</tns:value></tns:pairs>");
    BOOST_TEST(errorOf({"pairs"}, {"key=a", "value=1", "key=b"}) == "required and missing: value");
}

BOOST_AUTO_TEST_CASE(derived_types_are_named_first) {
    BOOST_TEST(xmlOf({"order"}, {"customer.@xsi:type=Company", "customer.name=Ann", "customer.vat=7"})
                   .find("<tns:customer xmlns:xt=\"urn:o\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                         "xsi:type=\"xt:Company\"><tns:name>Ann</tns:name><tns:vat>7</tns:vat></tns:customer>") !=
               std::string::npos);
    BOOST_TEST(errorOf({"order"}, {"customer.vat=7"}) ==
               "customer has no element 'vat'; known are: name (a derived type is chosen before, with @xsi:type=NAME)");
    BOOST_TEST(errorOf({"order"}, {"customer.@xsi:type=Compny"}) ==
               "no type 'Compny' may stand there, did you mean 'Company'?");
    BOOST_TEST(errorOf({"order"}, {"customer.@xsi:type=Line"}) == "no type 'Line' may stand there; known are: Company");
}

BOOST_AUTO_TEST_CASE(simple_and_several_elements_are_named_themselves) {
    BOOST_TEST(xmlOf({"amount"}, {"amount=5"}) == "<tns:amount xmlns:tns=\"urn:o\">5</tns:amount>");
    BOOST_TEST(errorOf({"amount"}, {}) == "required and missing: amount");
    BOOST_TEST(xmlOf({"amount", "mix"}, {"mix.a=1", "amount=5"}) ==
               "<tns:amount xmlns:tns=\"urn:o\">5</tns:amount><tns:mix xmlns:tns=\"urn:o\"><tns:a>1</tns:a></tns:mix>");
    BOOST_TEST(errorOf({"amount", "either"}, {"amount=1", "either.b=2"}) == "required and missing: either.c");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named) {
    BOOST_TEST(errorOf({"order"}, {"custmer.name=Ann"}) ==
               "place has no parameter 'custmer', did you mean 'customer'?");
    BOOST_TEST(errorOf({"order"}, {"customer.nam=Ann"}) == "customer has no element 'nam', did you mean 'name'?");
    BOOST_TEST(errorOf({"order"}, {"@ident=1"}).starts_with("place has no attribute 'ident'"));
    BOOST_TEST(errorOf({"order"}, {"customer=Ann"}) == "'customer' is no value; it is made of: name");
    BOOST_TEST(errorOf({"order"}, {"due=soon"}) == "due: expected a date like 2026-01-31 (xs:date), got 'soon'");
    BOOST_TEST(errorOf({"order"}, {"@id=x"}) == "@id: expected a whole number (xs:int), got 'x'");
    BOOST_TEST(errorOf({"order"}, {"customer.@xsi:nil=true"}) == "customer.@xsi:nil: the element is not nillable");
    BOOST_TEST(errorOf({"order"}, {}) == "required and missing: customer.name");
    BOOST_TEST(errorOf({"order"}, {"customer.name=a\x01"}).starts_with("customer.name: not text that XML can hold"));
    BOOST_TEST(errorOf({"loop"}, {}).find("requires an element inside of itself without end") != std::string::npos);
    BOOST_TEST(errorOf({"order"}, {"a..b=1"}) == "'a..b': a name is missing");
    BOOST_TEST(errorOf({"order"}, {"line[x]=1"}) == "'line[x]': what stands in [ ] is a number, from 0");
    BOOST_TEST(errorOf({"order"}, {"@id.a=1"}) == "'@id.a': an attribute is one value, and comes last");
}

BOOST_AUTO_TEST_CASE(files_give_values) {
    const ScratchFolder folder;
    const std::string file = (folder.path() / "f").string();
    std::ofstream(file, std::ios::binary) << std::string("\0\xFF", 2);
    BOOST_TEST(xmlOf({"order"}, {"customer.name=Ann", "seal=@" + file}).find("<tns:seal>AP8=</tns:seal>") !=
               std::string::npos);
    BOOST_TEST(errorOf({"order"}, {"customer.name=@" + file}).starts_with("customer.name: not text"));
    BOOST_TEST(errorOf({"order"}, {"customer.name=@" + file + ".none"}).find("No such file") != std::string::npos);
    BOOST_TEST(xmlOf({"order"}, {"customer.name=@@home"}).find(">@home<") != std::string::npos);
    BOOST_TEST(errorOf({"order"}, {"seal=not base64"}).find("or @FILE for what a file holds") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
