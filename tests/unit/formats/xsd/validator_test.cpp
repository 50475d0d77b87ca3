#include "formats/xsd/validator.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include "tests/support/document.hpp"

using namespace postbus;
using test::Document;

namespace {

std::string schema(std::string_view content, std::string_view target = "urn:t") {
    return "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='" + std::string(target) +
           "' xmlns:o='urn:other' targetNamespace='" + std::string(target) + "'>" + std::string(content) +
           "</xs:schema>";
}

xsd::SchemaDocuments one(std::string_view content) {
    xsd::SchemaDocuments documents;
    documents.all["main"] = {"urn:t", schema(content)};
    documents.roots = {"main"};
    return documents;
}

std::shared_ptr<const xsd::Validator> compiled(const xsd::SchemaDocuments& documents) {
    auto made = xsd::Validator::compile(documents);
    if (!made) BOOST_FAIL(made.error().message());
    return *made;
}

std::string trouble(const xsd::SchemaDocuments& documents) {
    auto made = xsd::Validator::compile(documents);
    return made ? "" : made.error().message();
}

constexpr std::string_view person =
    "<xs:element name='person'><xs:complexType><xs:sequence>"
    "<xs:element name='name' type='xs:string'/>"
    "<xs:element name='age' minOccurs='0'><xs:simpleType><xs:restriction base='xs:int'><xs:maxInclusive value='150'/>"
    "</xs:restriction></xs:simpleType></xs:element>"
    "<xs:element name='kind' type='xs:QName' minOccurs='0'/>"
    "<xs:any namespace='##other' processContents='lax' minOccurs='0'/>"
    "</xs:sequence><xs:attribute name='id' type='xs:token' use='required'/></xs:complexType></xs:element>";

std::vector<xsd::Violation> violations(const xsd::Validator& validator, std::string_view text) {
    const Document document(text);
    return validator.check(document.root());
}

std::string first(const xsd::Validator& validator, std::string_view text) {
    const auto all = violations(validator, text);
    return all.empty() ? "" : all.front().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(xsd_validator)

BOOST_AUTO_TEST_CASE(finds_nothing_in_what_is_valid) {
    const auto validator = compiled(one(person));

    for (const char* good :
         {"<t:person xmlns:t='urn:t' id='a'><name>Ann</name></t:person>",
          "<person xmlns='urn:t' id='a'><name xmlns=''>Ann</name><age xmlns=''>150</age></person>",
          "<t:person xmlns:t='urn:t' id='a &amp; &lt;b'><name><![CDATA[<x>]]></name><kind xmlns:q='urn:q'>q:k</kind>"
          "<x:any xmlns:x='urn:x'>anything</x:any></t:person>",
          "<t:person xmlns:t='urn:t' id='a'>\n  <name/>\n</t:person>"})
        BOOST_TEST(first(*validator, good) == "", good);
}

BOOST_AUTO_TEST_CASE(names_line_element_and_rule) {
    const auto validator = compiled(one(person));
    const auto check = [&](std::string_view text, std::uint32_t line, std::string_view element, std::string_view rule) {
        const auto all = violations(*validator, text);
        BOOST_TEST_CONTEXT(text) {
            BOOST_REQUIRE(!all.empty());
            BOOST_TEST(all[0].line == line);
            BOOST_TEST(all[0].element == element);
            BOOST_TEST(all[0].rule == rule);
            BOOST_TEST(!all[0].message.empty());
            BOOST_TEST(all[0].message.find('\n') == std::string::npos);
        }
    };

    check("<t:person xmlns:t='urn:t' id='a'>\n<name>Ann</name>\n<age>old</age></t:person>", 3, "age",
          "cvc-datatype-valid.1.2.1");
    check("<t:person xmlns:t='urn:t' id='a'>\n<name>Ann</name>\n<age>151</age></t:person>", 3, "age",
          "cvc-maxInclusive-valid");
    check("<t:person xmlns:t='urn:t' id='a'>\n\n<nam>Ann</nam></t:person>", 3, "nam", "cvc-complex-type.2.4");
    check("<t:person xmlns:t='urn:t' id='a'>\n</t:person>", 1, "{urn:t}person", "cvc-complex-type.2.4");
    check("<t:person xmlns:t='urn:t'>\n<name/></t:person>", 1, "{urn:t}person", "cvc-complex-type.4");
    check("<t:person xmlns:t='urn:t' id='a' more='b'><name/></t:person>", 1, "{urn:t}person", "cvc-complex-type.3.2.1");
    check("<t:person xmlns:t='urn:t' id='a'><name/><kind>q:k</kind></t:person>", 1, "kind", "cvc-datatype-valid.1.2.1");
    check("<t:nobody xmlns:t='urn:t'/>", 1, "{urn:t}nobody", "cvc-elt.1");
    check("<person/>", 1, "person", "cvc-elt.1");
}

BOOST_AUTO_TEST_CASE(tells_of_the_first_few_only) {
    const auto validator =
        compiled(one("<xs:element name='all'><xs:complexType><xs:sequence>"
                     "<xs:element name='n' type='xs:int' maxOccurs='unbounded'/>"
                     "</xs:sequence></xs:complexType></xs:element>"));
    std::string text = "<t:all xmlns:t='urn:t'>";
    for (int i = 0; i < 100; ++i) text += "<n>x</n>";

    BOOST_TEST(violations(*validator, text + "</t:all>").size() == 5u);
}

BOOST_AUTO_TEST_CASE(sees_an_element_inside_of_a_larger_document_with_its_scope) {
    const auto validator = compiled(one(person));
    const Document document(
        "<e:Envelope xmlns:e='urn:e' xmlns:t='urn:t' xmlns:q='urn:q' xmlns='urn:not-this'>"
        "<e:Body><t:person id='a'><name xmlns=''>Ann</name><kind xmlns=''>q:k</kind></t:person></e:Body></e:Envelope>");

    BOOST_TEST(validator->check(document.find("person")).empty());
    BOOST_TEST(validator->check(document.find("Body")).size() == 1u);
}

BOOST_AUTO_TEST_CASE(follows_imports_and_includes_among_its_documents_and_reads_nothing_else) {
    xsd::SchemaDocuments documents = one(
        "<xs:include schemaLocation='common/part.xsd'/><xs:import namespace='urn:other' schemaLocation='other.xsd'/>"
        "<xs:element name='root'><xs:complexType><xs:sequence><xs:element ref='o:thing'/>"
        "<xs:element name='part' type='t:Part'/></xs:sequence></xs:complexType></xs:element>");
    documents.all["common/part.xsd"] = {
        "urn:t", schema("<xs:include schemaLocation='../deep.xsd'/><xs:complexType name='Part'><xs:sequence>"
                        "<xs:element name='deep' type='t:Deep'/></xs:sequence></xs:complexType>")};
    documents.all["deep.xsd"] = {"urn:t",
                                 schema("<xs:simpleType name='Deep'><xs:restriction base='xs:int'/></xs:simpleType>")};
    documents.all["other.xsd"] = {"urn:other", schema("<xs:element name='thing' type='xs:int'/>", "urn:other")};
    const auto validator = compiled(documents);

    const auto text = [](std::string_view thing, std::string_view deep) {
        return "<t:root xmlns:t='urn:t'><o:thing xmlns:o='urn:other'>" + std::string(thing) + "</o:thing><part><deep>" +
               std::string(deep) + "</deep></part></t:root>";
    };
    BOOST_TEST(first(*validator, text("1", "2")) == "");
    BOOST_TEST(first(*validator, text("x", "2")) != "");
    BOOST_TEST(first(*validator, text("1", "x")) != "");

    documents.all.erase("deep.xsd");
    BOOST_TEST(trouble(documents) == "the schema refers to 'deep.xsd', which the contract lacks");
}

BOOST_AUTO_TEST_CASE(refuses_schemas_that_lead_elsewhere_or_are_none) {
    for (const char* location : {"/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:1/x.xsd", "../../x.xsd"}) {
        const std::string said = trouble(one("<xs:include schemaLocation='" + std::string(location) + "'/>"));
        BOOST_TEST(said.find("which the contract lacks") != std::string::npos, said);
    }
    BOOST_TEST(
        trouble(one("<xs:element name='a' type='t:Missing'/>")).starts_with("the schema is not valid: main:1: "));
    BOOST_TEST(trouble(one("<xs:elephant/>")) != "");
}

BOOST_AUTO_TEST_CASE(several_documents_of_one_namespace_are_one_schema) {
    xsd::SchemaDocuments documents;
    documents.all["a"] = {"urn:t", schema("<xs:element name='a' type='t:B'/>")};
    documents.all["b"] = {"urn:t", schema("<xs:simpleType name='B'><xs:restriction base='xs:int'/></xs:simpleType>"
                                          "<xs:element name='b' type='t:B'/>")};
    documents.all["c"] = {"urn:other", schema("<xs:import namespace='urn:t'/><xs:element name='c' type='u:B' "
                                              "xmlns:u='urn:t'/>",
                                              "urn:other")};
    documents.roots = {"a", "b", "c"};
    const auto validator = compiled(documents);

    BOOST_TEST(first(*validator, "<t:a xmlns:t='urn:t'>1</t:a>") == "");
    BOOST_TEST(first(*validator, "<t:b xmlns:t='urn:t'>x</t:b>") != "");
    BOOST_TEST(first(*validator, "<o:c xmlns:o='urn:other'>1</o:c>") == "");
    BOOST_TEST(first(*validator, "<o:c xmlns:o='urn:other'>x</o:c>") != "");
}

BOOST_AUTO_TEST_CASE(one_serves_many_threads) {
    const auto validator = compiled(one(person));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;

    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i) {
                if (!violations(*validator, "<t:person xmlns:t='urn:t' id='a'><name>A</name></t:person>").empty())
                    ++wrong;
                if (violations(*validator, "<t:person xmlns:t='urn:t' id='a'><name/><age>x</age></t:person>").size() !=
                    1)
                    ++wrong;
            }
        });
    for (std::thread& each : threads) each.join();

    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
