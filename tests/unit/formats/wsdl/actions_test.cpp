#include "formats/wsdl/actions.hpp"

#include <boost/test/unit_test.hpp>

#include "formats/wsdl/write.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_contract.hpp"

using namespace postbus;
using test::Document;

namespace {

constexpr std::string_view wsam = "http://www.w3.org/2007/05/addressing/metadata",
                           wsp = "http://www.w3.org/ns/ws-policy";

wsdl::OperationActions only(const wsdl::Contract& contract) {
    const auto all = wsdl::actionsOf(contract);
    BOOST_REQUIRE(all.size() == 1u);
    return all[0];
}

std::string documentWith(std::string_view operation) {
    return "<d:definitions xmlns:d='http://schemas.xmlsoap.org/wsdl/' xmlns:m='" + std::string(wsam) +
           "' xmlns:o='http://www.w3.org/2006/05/addressing/wsdl'><d:portType name='HelloWorld'>" +
           std::string(operation) + "</d:portType></d:definitions>";
}

wsdl::Contract with(std::string_view operation) {
    wsdl::Contract contract = test::helloContract();
    contract.document = documentWith(operation);
    return contract;
}

Document written(wsdl::AddressingPolicy policy) {
    wsdl::WriteOptions options;
    options.soap12 = true;
    options.addressing = policy;
    return Document(wsdl::write(test::helloContract(), options));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wsdl_actions)

BOOST_AUTO_TEST_CASE(follow_the_default_pattern_where_the_contract_says_nothing) {
    const wsdl::Contract contract = test::helloContract();
    const auto its = only(contract);

    BOOST_TEST(its.in == "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHi");
    BOOST_TEST(its.out == "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHiResponse");
    BOOST_TEST(!its.named);
    BOOST_TEST(its.operation->name == "sayHi");
}

BOOST_AUTO_TEST_CASE(the_pattern_has_a_slash_or_in_urns_a_colon_once) {
    wsdl::Contract contract = test::helloContract();
    const std::pair<const char*, const char*> cases[] = {{"http://x/y", "http://x/y/HelloWorld/sayHi"},
                                                         {"http://x/y/", "http://x/y/HelloWorld/sayHi"},
                                                         {"urn:x", "urn:x:HelloWorld:sayHi"},
                                                         {"urn:x:", "urn:x:HelloWorld:sayHi"}};
    for (const auto& [ns, action] : cases) {
        contract.ns = ns;
        BOOST_TEST(only(contract).in == action);
    }
}

BOOST_AUTO_TEST_CASE(soapAction_is_the_action_of_requests) {
    wsdl::Contract contract = test::helloContract();
    contract.operations[0].soapAction = "urn:say";

    BOOST_TEST(only(contract).in == "urn:say");
    BOOST_TEST(only(contract).named);
    BOOST_TEST(only(contract).out == "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHiResponse");
}

BOOST_AUTO_TEST_CASE(a_document_names_actions_and_messages) {
    const auto explicitly =
        only(with("<d:operation name='sayHi'><d:input m:Action='urn:in'/><d:output o:Action='urn:out'/>"
                  "</d:operation>"));
    BOOST_TEST(explicitly.in == "urn:in");
    BOOST_TEST(explicitly.out == "urn:out");
    BOOST_TEST(explicitly.named);

    const auto byName =
        only(with("<d:operation name='sayHi'><d:input name='ask'/><d:output name='told'/></d:operation>"));
    BOOST_TEST(byName.in == "http://cxf.examples.servicemix.apache.org/HelloWorld/ask");
    BOOST_TEST(byName.out == "http://cxf.examples.servicemix.apache.org/HelloWorld/told");
    BOOST_TEST(!byName.named);

    const auto bare = only(with("<d:operation name='sayHi'><d:input/><d:output/></d:operation>"));
    BOOST_TEST(bare.in == "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHiRequest");
    BOOST_TEST(bare.out == "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHiResponse");
}

BOOST_AUTO_TEST_CASE(a_wsdl_is_silent_about_addressing_unless_told) {
    const std::string text = wsdl::write(test::helloContract(), {true, true, "http://x/"});

    BOOST_TEST(text.find("Action=") == text.find("soapAction=") + 4);
    BOOST_TEST(text.find("olicy") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_policy_stands_in_each_binding_and_names_the_actions) {
    using Policy = wsdl::AddressingPolicy;
    const Document optional = written({Policy::Use::Optional, Policy::Responses::Anonymous}),
                   required = written({Policy::Use::Required, Policy::Responses::Any});

    BOOST_TEST(optional.all("Addressing").size() == 2u);
    BOOST_TEST(optional.find("Addressing").attribute(wsp, "Optional").value_or("") == "true");
    BOOST_TEST(optional.all("AnonymousResponses").size() == 2u);
    BOOST_TEST(*optional.find("UsingAddressing").attribute("http://schemas.xmlsoap.org/wsdl/", "required") == "false");
    BOOST_TEST(!required.find("Addressing").attribute(wsp, "Optional"));
    BOOST_TEST(!required.find("AnonymousResponses"));
    BOOST_TEST(*required.find("UsingAddressing").attribute("http://schemas.xmlsoap.org/wsdl/", "required") == "true");
    const Element input = required.find("portType").firstChild().firstChild();
    BOOST_TEST(*input.attribute(wsam, "Action") == "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHi");
    BOOST_TEST(*input.next().attribute(wsam, "Action") ==
               "http://cxf.examples.servicemix.apache.org/HelloWorld/sayHiResponse");
}

BOOST_AUTO_TEST_SUITE_END()
