#include "formats/xsd/reader/schema_set.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/document.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

/// One schema, whose prefix t means its own namespace urn:t.
struct Fixture {
    explicit Fixture(const std::string& content, const std::string& attributes = "elementFormDefault=\"qualified\"")
        : document(
              "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" targetNamespace=\"urn:t\" xmlns:t=\"urn:t\" " +
              attributes + ">" + content + "</xs:schema>") {
        const auto added = set.add(document.root(), "t.xsd");
        BOOST_REQUIRE_MESSAGE(added, (added ? "" : added.error().message()));
    }

    const xsd::ElementDeclaration& element(const char* name) {
        const auto found = set.element({"urn:t", name});
        BOOST_REQUIRE_MESSAGE(found, (found ? "" : found.error().message()));
        return **found;
    }
    const xsd::Type& type(const char* name) {
        const auto found = set.type({"urn:t", name});
        BOOST_REQUIRE_MESSAGE(found, (found ? "" : found.error().message()));
        return **found;
    }

    Document document;
    xsd::SchemaSet set;
};

/// "a b* c? {urn:t}d": * may repeat, ? may be absent, | stands in a choice.
std::string childrenText(const xsd::Type& type) {
    std::string text;
    for (const xsd::Child& each : xsd::childrenOf(type)) {
        text += (text.empty() ? "" : " ") + each.element->name.text();
        if (each.repeated) text += '*';
        if (!each.required) text += '?';
        if (each.alternative) text += '|';
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(schema_set)

BOOST_AUTO_TEST_CASE(elements_have_names_by_form_and_types_by_reference) {
    Fixture its(R"(<xs:element name="order" type="t:Order"/>
        <xs:complexType name="Order"><xs:sequence>
          <xs:element name="id" type="xs:int"/>
          <xs:element name="note" type="xs:string" form="unqualified" minOccurs="0" nillable="true"/>
          <xs:element name="line" maxOccurs="unbounded"><xs:complexType>
            <xs:attribute name="sku" type="xs:token" use="required"/></xs:complexType></xs:element>
          <xs:element ref="t:order" minOccurs="0"/>
        </xs:sequence></xs:complexType>)");

    const xsd::Type& order = *its.element("order").type;

    BOOST_TEST(childrenText(order) == "{urn:t}id note? {urn:t}line* {urn:t}order?");
    const auto children = xsd::childrenOf(order);
    BOOST_TEST(children[0].element->type->value->name == "int");
    BOOST_TEST(children[1].element->nillable);
    const xsd::AttributeDeclaration* sku = children[2].element->type->attribute("sku");
    BOOST_REQUIRE(sku);
    BOOST_TEST(sku->required);
    BOOST_TEST(sku->name.text() == "sku");
    BOOST_TEST(children[3].element->type == &order);
}

BOOST_AUTO_TEST_CASE(unqualified_is_the_default_form) {
    Fixture its(
        R"(<xs:element name="a"><xs:complexType><xs:sequence><xs:element name="b"/></xs:sequence></xs:complexType>
        </xs:element>)",
        "");

    BOOST_TEST(childrenText(*its.element("a").type) == "b");
}

BOOST_AUTO_TEST_CASE(groups_choices_and_repetition) {
    Fixture its(R"(<xs:complexType name="T"><xs:sequence>
          <xs:group ref="t:G"/>
          <xs:choice maxOccurs="3"><xs:element name="c"/><xs:element name="d"/></xs:choice>
          <xs:sequence minOccurs="0" maxOccurs="2"><xs:element name="e"/></xs:sequence>
          <xs:element name="gone" maxOccurs="0"/>
          <xs:any minOccurs="0" processContents="lax"/>
        </xs:sequence></xs:complexType>
        <xs:group name="G"><xs:all><xs:element name="a"/><xs:element name="b" minOccurs="0"/></xs:all></xs:group>)");

    BOOST_TEST(childrenText(its.type("T")) == "{urn:t}a {urn:t}b? {urn:t}c*?| {urn:t}d*?| {urn:t}e*?");
    BOOST_TEST(xsd::hasWildcard(its.type("T").content));
}

BOOST_AUTO_TEST_CASE(extension_adds_to_the_base_and_restriction_says_it_anew) {
    Fixture its(R"(<xs:complexType name="Base" abstract="true"><xs:sequence><xs:element name="a"/></xs:sequence>
          <xs:attribute name="x"/><xs:attribute name="y"/></xs:complexType>
        <xs:complexType name="More"><xs:complexContent><xs:extension base="t:Base">
          <xs:sequence><xs:element name="b"/></xs:sequence><xs:attribute name="z"/></xs:extension></xs:complexContent></xs:complexType>
        <xs:complexType name="Less"><xs:complexContent><xs:restriction base="t:More">
          <xs:sequence><xs:element name="b"/></xs:sequence><xs:attribute name="x" use="prohibited"/></xs:restriction>
          </xs:complexContent></xs:complexType>)");

    BOOST_TEST(its.type("Base").abstract);
    BOOST_TEST(childrenText(its.type("More")) == "{urn:t}a {urn:t}b");
    BOOST_TEST(its.type("More").attributes.size() == 3u);
    BOOST_TEST(childrenText(its.type("Less")) == "{urn:t}b");
    BOOST_TEST(!its.type("Less").attribute("x"));
    BOOST_TEST(its.type("Less").attribute("z"));
    BOOST_TEST(its.type("Less").derivesFrom(its.type("Base")));
    BOOST_TEST(its.set.derived(its.type("Base"), "More") == &its.type("More"));
    BOOST_TEST(!its.set.derived(its.type("More"), "Base"));
    BOOST_TEST(its.set.derivedNames(its.type("Base")).size() == 2u);
}

BOOST_AUTO_TEST_CASE(values_by_restriction_list_union_and_with_attributes) {
    Fixture its(R"(<xs:simpleType name="Size"><xs:restriction base="xs:string"><xs:enumeration value="S"/>
          <xs:enumeration value="L"/></xs:restriction></xs:simpleType>
        <xs:simpleType name="Sizes"><xs:list itemType="t:Size"/></xs:simpleType>
        <xs:simpleType name="Either"><xs:union memberTypes="xs:int t:Size"/></xs:simpleType>
        <xs:complexType name="Price"><xs:simpleContent><xs:extension base="xs:decimal">
          <xs:attribute ref="t:currency" use="required"/><xs:attribute ref="xml:lang"/></xs:extension></xs:simpleContent></xs:complexType>
        <xs:attribute name="currency" type="xs:NMTOKEN"/>)");

    BOOST_TEST(its.type("Size").enumeration.size() == 2u);
    BOOST_TEST(its.type("Size").value->name == "string");
    BOOST_TEST(its.type("Sizes").list);
    BOOST_TEST(its.type("Sizes").enumeration.back() == "L");
    BOOST_TEST((its.type("Either").value->kind == xsd::Kind::Any));
    BOOST_TEST(its.type("Price").value->name == "decimal");
    BOOST_TEST(its.type("Price").attribute("currency")->name.text() == "{urn:t}currency");
    BOOST_TEST(its.type("Price").attribute("lang"));
}

BOOST_AUTO_TEST_CASE(a_substitution_group_is_a_choice_of_its_members) {
    Fixture its(R"(<xs:element name="pay" abstract="true" type="t:Pay"/>
        <xs:element name="card" substitutionGroup="t:pay" type="t:Card"/>
        <xs:element name="cash" substitutionGroup="t:pay"/>
        <xs:complexType name="Pay"/>
        <xs:complexType name="Card"><xs:complexContent><xs:extension base="t:Pay"><xs:sequence>
          <xs:element name="number"/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
        <xs:complexType name="T"><xs:sequence><xs:element ref="t:pay" maxOccurs="unbounded"/></xs:sequence></xs:complexType>)");

    BOOST_TEST(childrenText(its.type("T")) == "{urn:t}card*?| {urn:t}cash*?|");
    BOOST_TEST(xsd::childrenOf(its.type("T"))[1].element->type == &its.type("Pay"));
}

BOOST_AUTO_TEST_CASE(a_chameleon_takes_the_namespace_of_who_includes_it) {
    const Document chameleon(R"(<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
        <xs:element name="a" type="A"/><xs:complexType name="A"><xs:sequence><xs:element name="b"/></xs:sequence>
        </xs:complexType></xs:schema>)");
    xsd::SchemaSet set;
    BOOST_REQUIRE(set.add(chameleon.root(), "c.xsd", "urn:host"));

    const auto element = set.element({"urn:host", "a"});

    BOOST_REQUIRE(element);
    BOOST_TEST((*element)->type->problem == "");
    BOOST_TEST(childrenText(*(*element)->type) == "{urn:host}b");
}

BOOST_AUTO_TEST_CASE(a_fault_hurts_only_what_needs_it) {
    Fixture its(
        "\n<xs:complexType name=\"Bad\"><xs:sequence>\n<xs:element name=\"a\" "
        "type=\"t:Gone\"/></xs:sequence></xs:complexType>"
        "<xs:element name=\"good\" type=\"xs:int\"/><xs:element name=\"bad\" type=\"t:Bad\"/>");
    its.set.missing("gone.xsd: HTTP 404");

    BOOST_TEST(its.element("good").type->problem == "");
    BOOST_TEST(its.element("bad").type->problem ==
               "t.xsd:3: no schema declares the type {urn:t}Gone; gone.xsd: HTTP 404");
    const auto none = its.set.element({"urn:t", "none"});
    BOOST_REQUIRE(!none);
    BOOST_TEST((none.error().kind() == Error::Kind::NotFound));
}

BOOST_AUTO_TEST_CASE(what_has_no_name_that_can_stand_in_a_tag_is_a_problem) {
    for (const std::string_view part :
         {"<xs:sequence><xs:element nam='a'/></xs:sequence>", "<xs:sequence><xs:element name='a b'/></xs:sequence>",
          "<xs:attribute type='xs:int'/>", "<xs:attribute name='a:b'/>"}) {
        Fixture its("<xs:element name='e'><xs:complexType>" + std::string(part) + "</xs:complexType></xs:element>");
        BOOST_TEST(
            its.element("e").type->problem.find("with neither ref nor a name that can be one") != std::string::npos,
            part << ": " << its.element("e").type->problem);
    }
}

BOOST_AUTO_TEST_CASE(what_is_made_of_itself_is_a_problem_and_not_an_endless_loop) {
    Fixture its(
        R"(<xs:complexType name="A"><xs:complexContent><xs:extension base="t:B"/></xs:complexContent></xs:complexType>
        <xs:complexType name="B"><xs:complexContent><xs:extension base="t:A"/></xs:complexContent></xs:complexType>
        <xs:complexType name="G"><xs:group ref="t:g"/></xs:complexType>
        <xs:group name="g"><xs:sequence><xs:group ref="t:g"/></xs:sequence></xs:group>
        <xs:simpleType name="S"><xs:restriction base="t:S"/></xs:simpleType>
        <xs:element name="e" substitutionGroup="t:f"/><xs:element name="f" substitutionGroup="t:e"/>
        <xs:complexType name="AG"><xs:attributeGroup ref="t:ag"/></xs:complexType>
        <xs:attributeGroup name="ag"><xs:attributeGroup ref="t:ag"/></xs:attributeGroup>)");

    for (const char* each : {"A", "B", "G", "S", "AG"})
        BOOST_TEST(its.type(each).problem.find("made of itself") != std::string::npos, each);
    BOOST_TEST(!its.set.element({"urn:t", "e"}));
}

BOOST_AUTO_TEST_CASE(groups_that_double_are_stopped_by_a_limit) {
    std::string bomb = "<xs:complexType name=\"T\"><xs:group ref=\"t:g0\"/></xs:complexType>";
    for (int i = 0; i < 40; ++i) {
        const std::string next = "<xs:group ref=\"t:g" + std::to_string(i + 1) + "\"/>";
        bomb +=
            "<xs:group name=\"g" + std::to_string(i) + "\"><xs:sequence>" + next + next + "</xs:sequence></xs:group>";
    }
    bomb += "<xs:group name=\"g40\"><xs:sequence><xs:element name=\"e\"/></xs:sequence></xs:group>";
    Fixture its(bomb);

    BOOST_TEST(its.type("T").problem.find("more than 300000 parts") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_read_is_refused_with_its_line) {
    const auto refusal = [](const std::string& content) {
        const Document document("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n" + content +
                                "</xs:schema>");
        xsd::SchemaSet set;
        const auto added = set.add(document.root(), "t.xsd");
        return added ? std::string() : added.error().message();
    };
    BOOST_TEST(refusal("<xs:redefine schemaLocation=\"x\"/>").starts_with("t.xsd:2: xs:redefine is not supported"));
    BOOST_TEST(refusal("<xs:element/>") == "t.xsd:2: xs:element without a name in a schema");
    BOOST_TEST(refusal("<xs:element name=\"a\" substitutionGroup=\"x:b\"/>") ==
               "t.xsd:2: the prefix of 'x:b' is not declared");
}

BOOST_AUTO_TEST_SUITE_END()
