#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include "formats/wsdl/write.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_contract.hpp"

using namespace postbus;
using test::Document;

namespace {

std::string file(const std::string& name) {
    std::ifstream in(std::string(TEST_DATA) + "/" + name, std::ios::binary);
    BOOST_REQUIRE_MESSAGE(in, "no file " + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> names(const std::vector<Element>& elements) {
    std::vector<std::string> all;
    for (const Element each : elements) all.emplace_back(each.attribute("", "name").value_or("(none)"));
    return all;
}

constexpr std::string_view address = "http://localhost:8181/cxf/HelloWorld";
constexpr std::string_view wsdlSoap12 = "http://schemas.xmlsoap.org/wsdl/soap12/";

}  // namespace

BOOST_AUTO_TEST_SUITE(wsdl_write)

BOOST_AUTO_TEST_CASE(hello_world_has_the_infoset_of_service_mixs_contract) {
    const Document written(wsdl::write(test::helloContract(), {true, false, std::string(address)}));
    const Document expected(file("HelloWorld.wsdl"));

    BOOST_TEST(test::infoset(written.root()) == test::infoset(expected.root()));
    for (const auto* prefix : {"tns", "xs"})  // values refer to them
        BOOST_TEST(*written.find("schema").lookup(prefix) == *expected.find("schema").lookup(prefix));
}

BOOST_AUTO_TEST_CASE(soap_12_adds_a_binding_and_a_port_of_its_own) {
    const Document written(wsdl::write(test::helloContract(), {true, true, std::string(address)}));

    const std::vector<std::string> ports{"HelloWorldImplPort", "HelloWorldImplPortSoap12"};
    BOOST_TEST(names(written.all("port")) == ports, boost::test_tools::per_element());
    const std::vector<Element> addresses = written.all("address");
    BOOST_REQUIRE(addresses.size() == 2);
    BOOST_TEST(addresses[1].uri() == wsdlSoap12);
    BOOST_TEST(*addresses[1].attribute("", "location") == address);
    const Element port = written.all("port")[1];
    BOOST_TEST(*port.attribute("", "binding") == "tns:HelloWorldImplServiceSoap12Binding");
    const std::vector<std::string> bindings{"HelloWorldImplServiceSoapBinding", "HelloWorldImplServiceSoap12Binding",
                                            "(none)", "(none)"};
    BOOST_TEST(names(written.all("binding")).size() == bindings.size());
}

BOOST_AUTO_TEST_CASE(soap_12_alone_has_its_port_only) {
    const Document written(wsdl::write(test::helloContract(), {false, true, std::string(address)}));

    BOOST_REQUIRE(written.all("port").size() == 1);
    BOOST_TEST(*written.find("port").attribute("", "name") == "HelloWorldImplPortSoap12");
    BOOST_TEST(written.find("address").uri() == wsdlSoap12);
    BOOST_TEST(!written.root().lookup("soap"));
}

BOOST_AUTO_TEST_CASE(an_in_only_operation_has_no_output) {
    wsdl::Contract contract = test::helloContract();
    wsdl::Operation note = test::inOut("note", &test::sayHiType, nullptr);
    note.mep = POSTBUS_MEP_IN_ONLY;
    note.outElement.clear();
    contract.operations = {note};

    const Document written(wsdl::write(contract, {true, false, std::string(address)}));

    BOOST_TEST(written.all("input").size() == 2);  // in portType and binding
    BOOST_TEST(written.all("output").empty());
    BOOST_TEST(written.all("message").size() == 1);
    BOOST_TEST(!written.find("schema").child("http://www.w3.org/2001/XMLSchema", "noteResponse"));
}

BOOST_AUTO_TEST_CASE(soap_actions_and_documentation_are_told) {
    wsdl::Contract contract = test::helloContract();
    contract.doc = "Greets <people> & others.";
    contract.operations[0].doc = "Says hi.";
    contract.operations[0].soapAction = "urn:hi";

    const Document written(wsdl::write(contract, {true, true, std::string(address)}));

    BOOST_TEST(written.all("documentation")[0].text() == "Greets <people> & others.");
    BOOST_TEST(written.all("documentation")[1].text() == "Says hi.");
    const std::string_view wsdlSoap = "http://schemas.xmlsoap.org/wsdl/soap/";
    for (const Element each : written.all("operation")) {
        if (each.uri() != wsdlSoap && each.uri() != wsdlSoap12) continue;
        BOOST_TEST(*each.attribute("", "soapAction") == "urn:hi");
        BOOST_TEST(!each.attribute("", "soapActionRequired"));
    }
}

BOOST_AUTO_TEST_CASE(an_operation_that_takes_any_element_is_left_out_and_mentioned) {
    wsdl::Contract contract = test::helloContract();
    wsdl::Operation any;
    any.name = "any";
    any.any = true;
    contract.operations.push_back(any);

    const Document written(wsdl::write(contract, {true, false, std::string(address)}));

    for (const Element each : written.all("operation")) BOOST_TEST(each.attribute("", "name").value_or("") != "any");
    BOOST_TEST(written.text("documentation") ==
               "This service takes messages of every kind, not only those that are described here.");
}

BOOST_AUTO_TEST_CASE(without_an_implementation_the_service_gives_the_names) {
    wsdl::Contract contract = test::helloContract();
    contract.implementation.clear();

    const Document written(wsdl::write(contract, {true, false, std::string(address)}));

    BOOST_TEST(*written.find("service").attribute("", "name") == "HelloWorldService");
    BOOST_TEST(*written.find("port").attribute("", "name") == "HelloWorldPort");
}

BOOST_AUTO_TEST_SUITE_END()
