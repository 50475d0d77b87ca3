#include <boost/test/unit_test.hpp>

#include "formats/wsdl/documents.hpp"
#include "formats/wsdl/tag_scanner.hpp"
#include "formats/wsdl/write.hpp"
#include "tests/support/hello_contract.hpp"

using namespace postbus;

namespace {

constexpr std::string_view orders = "http://esb.example.org/cxf/Orders";

/// A contract that came with its service, written as people write them.
wsdl::Contract contractFirst() {
    wsdl::Contract contract = test::helloContract();
    contract.document = R"(<?xml version='1.0' encoding='UTF-8'?>
<!-- <soap:address location="http://comment"/> -->
<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:s = "http://schemas.xmlsoap.org/wsdl/soap/"
    targetNamespace="urn:orders"	>
  <import namespace="urn:common" location='common/common.wsdl'/>
  <types><x:schema xmlns:x="http://www.w3.org/2001/XMLSchema">
    <x:import namespace="urn:t" schemaLocation="./types.xsd" />
    <x:import namespace="urn:far" schemaLocation="http://far.example/far.xsd"/>
    <x:include schemaLocation="../outside.xsd"/>
    <x:import namespace="urn:none"/>
  </x:schema></types>
  <service name="Orders">
    <documentation><![CDATA[<s:address location="http://cdata"/>]]> a &gt; b</documentation>
    <port name="P" binding="b"><s:address   location = 'http://old/{address}?a=1&amp;b=2'/></port>
    <port name="Q" binding="b"><a:address xmlns:a="http://schemas.xmlsoap.org/wsdl/soap12/" location="old"></a:address></port>
    <port name="R" binding="b"><s:address xmlns:s="http://schemas.xmlsoap.org/wsdl/http/" location="old"/></port>
    <port name="S" binding="b"><s:address xmlns:s="urn:other" location="kept"/><s:body location="kept"/></port>
  </service>
</definitions>
)";
    contract.documents["types.xsd"] =
        R"(<schema xmlns="http://www.w3.org/2001/XMLSchema"><include schemaLocation="common/more &amp; so.xsd"/><include schemaLocation="common/more.xsd"/></schema>)";
    contract.documents["common/more.xsd"] =
        R"(<schema xmlns="http://www.w3.org/2001/XMLSchema"><include schemaLocation="../types.xsd"/></schema>)";
    contract.documents["common/common.wsdl"] = R"(<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>)";
    return contract;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    const std::size_t at = text.find(what);
    BOOST_REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wsdl_documents)

BOOST_AUTO_TEST_CASE(a_contract_is_served_byte_for_byte_but_for_its_addresses) {
    const wsdl::Contract contract = contractFirst();
    const std::string here(orders);

    std::string expected = contract.document;
    expected = replaced(expected, "'common/common.wsdl'", "'" + here + "?wsdl=common/common.wsdl'");
    expected = replaced(expected, "\"./types.xsd\"", "\"" + here + "?xsd=types.xsd\"");
    expected = replaced(expected, "'http://old/{address}?a=1&amp;b=2'", "'" + here + "'");
    expected = replaced(expected, "location=\"old\"", "location=\"" + here + "\"");
    expected = replaced(expected, "location=\"old\"", "location=\"" + here + "\"");

    BOOST_TEST(wsdl::Documents(contract, true, false).wsdl().render(orders) == expected);
}

BOOST_AUTO_TEST_CASE(documents_beside_it_refer_to_each_other_from_where_they_stand) {
    const wsdl::Contract contract = contractFirst();
    const wsdl::Documents documents(contract, true, false);

    BOOST_REQUIRE(documents.beside("types.xsd"));
    BOOST_REQUIRE(documents.beside("common/more.xsd"));
    BOOST_TEST(documents.beside("types.xsd")->render("A") ==
               replaced(contract.documents.at("types.xsd"), "\"common/more.xsd\"", "\"A?xsd=common/more.xsd\""));
    BOOST_TEST(documents.beside("common/more.xsd")->render("A") ==
               replaced(contract.documents.at("common/more.xsd"), "\"../types.xsd\"", "\"A?xsd=types.xsd\""));
}

BOOST_AUTO_TEST_CASE(a_name_is_looked_up_and_never_resolved) {
    const wsdl::Documents documents(contractFirst(), true, false);

    for (const auto* name : {"", "../types.xsd", "./types.xsd", "common/../types.xsd", "/types.xsd", "TYPES.XSD",
                             "/etc/hostname", "../../etc/hostname", "common"})
        BOOST_TEST(!documents.beside(name), name);
    BOOST_TEST(!documents.beside(std::string_view("types.xsd\0", 10)));
}

BOOST_AUTO_TEST_CASE(references_are_the_relative_ones_from_where_a_document_stands) {
    const wsdl::Contract contract = contractFirst();
    const std::vector<std::string> ofTheWsdl{"common/common.wsdl", "types.xsd"}, ofTypes{"types.xsd"};

    BOOST_TEST(wsdl::references("Orders.wsdl", contract.document) == ofTheWsdl, boost::test_tools::per_element());
    BOOST_TEST(wsdl::references("common/more.xsd", contract.documents.at("common/more.xsd")) == ofTypes,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_are_percent_encoded_in_the_query) {
    wsdl::Contract contract = contractFirst();
    contract.document =
        R"(<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:include schemaLocation="a &#38; b.xsd"/></x:schema>)";
    contract.documents = {{"a &#38; b.xsd", "<a/>"}};

    const std::string text = wsdl::Documents(contract, true, false).wsdl().render("A");

    BOOST_TEST(text.find("schemaLocation=\"A?xsd=a%20%26%2338;%20b.xsd\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(code_first_gives_the_same_text_as_write) {
    const wsdl::Contract contract = test::helloContract();

    BOOST_TEST(wsdl::Documents(contract, true, true).wsdl().render(orders) ==
               wsdl::write(contract, {true, true, std::string(orders)}));
}

BOOST_AUTO_TEST_CASE(a_broken_document_is_scanned_without_harm) {
    for (const std::string_view text :
         {"<", "<a", "<a b", "<a b=", "<a b='", "<!--", "<![CDATA[", "<?", "</", "</a></a></a>", "<a/></a><b", "<>",
          "< >", "<a xmlns='u' x", "<a =''>", "a < b > c", ""}) {
        std::size_t tags = 0;
        wsdl::scanTags(text, [&](const wsdl::Tag&) { ++tags; });
        BOOST_TEST(tags <= 3);
        BOOST_TEST(wsdl::findAddresses(text, [](std::string_view) { return ""; }).render("A") == text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
