#include <boost/test/unit_test.hpp>

#include "formats/wsdl/contract.hpp"
#include "tests/support/hello_contract.hpp"

using namespace postbus;
using test::helloContract;

namespace {

std::string problems(const wsdl::Contract& contract) {
    auto valid = wsdl::validate(contract);
    return valid ? "" : valid.error().message();
}

bool says(const wsdl::Contract& contract, std::string_view part) {
    const std::string text = problems(contract);
    BOOST_TEST_MESSAGE(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wsdl_validate)

BOOST_AUTO_TEST_CASE(hello_world_may_be_deployed) { BOOST_TEST(problems(helloContract()) == ""); }

BOOST_AUTO_TEST_CASE(names_must_be_xml_names) {
    wsdl::Contract contract = helloContract();
    contract.name = "Hello World";
    contract.implementation = "1Impl";
    contract.operations[0].name = "say:hi";

    BOOST_TEST(says(contract, "service name 'Hello World'"));
    BOOST_TEST(says(contract, "implementation name '1Impl'"));
    BOOST_TEST(says(contract, "operation 'say:hi': not an XML name"));
}

BOOST_AUTO_TEST_CASE(a_target_namespace_is_needed_and_must_be_a_uri) {
    wsdl::Contract contract = helloContract();
    contract.ns = "";
    BOOST_TEST(says(contract, "no target namespace"));
    contract.ns = "urn:a b";
    BOOST_TEST(says(contract, "characters that a URI can't"));
}

BOOST_AUTO_TEST_CASE(operations_and_their_elements_are_unique) {
    wsdl::Contract contract = helloContract();
    contract.operations.push_back(contract.operations[0]);
    BOOST_TEST(says(contract, "operation 'sayHi': defined twice"));
    BOOST_TEST(says(contract, "element 'sayHi' names another operation already"));

    contract = helloContract();
    contract.operations.push_back(test::inOut("sayHiResponse", nullptr, nullptr));
    BOOST_TEST(says(contract, "operation 'sayHiResponse': another message has its name"));

    contract = helloContract();
    wsdl::Operation any;
    any.name = "any";
    any.any = true;
    contract.operations.push_back(any);
    any.name = "other";
    contract.operations.push_back(any);
    BOOST_TEST(says(contract, "operation 'other': a second one that takes any element"));
}

BOOST_AUTO_TEST_CASE(patterns_and_answers_must_agree) {
    wsdl::Contract contract = helloContract();
    contract.operations[0].mep = POSTBUS_MEP_IN_ONLY;
    BOOST_TEST(says(contract, "has an answer, which its in-only pattern has no place for"));

    contract = helloContract();
    contract.operations[0].outElement.clear();
    BOOST_TEST(says(contract, "names no element for its answer"));

    contract = helloContract();
    contract.operations[0].mep = 17;
    BOOST_TEST(says(contract, "pattern is not known"));

    contract = helloContract();
    contract.operations[0].inElement.clear();
    BOOST_TEST(says(contract, "neither an element nor a SOAPAction would name it"));
    contract.operations[0].soapAction = "urn:hi";
    BOOST_TEST(problems(contract) == "");
}

BOOST_AUTO_TEST_CASE(the_types_problems_are_told_too_and_all_at_once) {
    static constexpr postbus_field fields[] = {{test::str("x"), {nullptr, 0}, POSTBUS_KIND_STRUCT, 0, nullptr}};
    static constexpr postbus_type type = test::structOf("T", fields, 1);
    wsdl::Contract contract = helloContract();
    contract.operations[0].in = &type;
    contract.name = "a b";

    BOOST_TEST(problems(contract) ==
               "service name 'a b': not an XML name without a colon; "
               "type 'sayHi', field 'x': its type is not described");
}

BOOST_AUTO_TEST_CASE(documents_must_be_well_formed_utf_8) {
    wsdl::Contract contract = helloContract();
    contract.document = "<wsdl:definitions xmlns:wsdl='http://schemas.xmlsoap.org/wsdl/'/>";
    BOOST_TEST(problems(contract) == "");
    contract.document = "<definitions><a></definitions>";
    BOOST_TEST(says(contract, "the contract: "));
    contract.document = "<?xml version='1.0' encoding='ISO-8859-1'?><a/>";
    BOOST_TEST(says(contract, "the contract: documents are served in UTF-8"));
    contract.document = std::string("\xFF\xFE<\0a\0/\0>\0", 10);
    BOOST_TEST(says(contract, "the contract: documents are served in UTF-8"));
    contract.document = "<a/>";
    contract.documents["types.xsd"] = "<!DOCTYPE a [<!ENTITY e 'x'>]><a/>";
    BOOST_TEST(says(contract, "'types.xsd': "));
}

BOOST_AUTO_TEST_SUITE_END()
