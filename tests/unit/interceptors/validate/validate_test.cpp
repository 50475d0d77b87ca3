#include "interceptors/validate/validate.hpp"

#include <boost/test/unit_test.hpp>

#include "bindings/soap/soap_binding.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_endpoint.hpp"
#include "transports/inproc/tape_binding.hpp"

using namespace postbus;
using namespace postbus::test;
using validate::Messages;

namespace {

struct Rig {
    explicit Rig(Messages messages, wsdl::Contract contract = helloContract(),
                 FunctionEndpoint::Handler handler = sayHi)
        : endpoint(std::make_shared<FunctionEndpoint>(std::move(contract), std::move(handler))),
          caller(endpoint, {soap::makeSoapBinding(endpoint->contract(), {})}, chain(messages)) {}

    std::shared_ptr<core::Chain> chain(Messages messages) const {
        auto made = std::make_shared<core::Chain>();
        made->add(validate::makeValidate(endpoint->contract(), {messages}));
        return made;
    }
    Answer call(std::string_view body, std::string_view ns = soap11) {
        Request request;
        request.body = envelope(ns, body);
        request.contentType = ns == soap12 ? "application/soap+xml; charset=utf-8" : "text/xml; charset=utf-8";
        return caller.call(request);
    }

    std::shared_ptr<FunctionEndpoint> endpoint;
    PortCaller caller;
};

void badAnswer(core::ExchangePtr exchange) {
    core::PayloadWriter& writer = exchange->draft().writer;
    writer.start(helloNs, "sayHiResponse", "ns2");
    writer.start("", "retrun");
    writer.end();
    writer.end();
    core::Exchange::reply(std::move(exchange));
}

void rawAnswer(core::ExchangePtr exchange) {
    exchange->draft().bytes.append("<x xmlns='urn:x'/>");
    exchange->draft().raw = true;
    core::Exchange::reply(std::move(exchange));
}

std::string reason(const Answer& answer) { return Document(answer.body).text("faultstring"); }

const std::string wrong = "\n<h:sayHi>\n<arg1>Ann</arg1></h:sayHi>";

}  // namespace

BOOST_AUTO_TEST_SUITE(validation)

BOOST_AUTO_TEST_CASE(lets_pass_what_is_valid) {
    Rig rig(Messages::Both);

    for (const std::string_view ns : {soap11, soap12}) {
        BOOST_TEST(Document(rig.call(sayHiTo("Ann"), ns).body).text("return") == "Hello Ann");
        BOOST_TEST(rig.call("<h:sayHi/>", ns).status == 200);
    }
}

BOOST_AUTO_TEST_CASE(a_request_that_is_not_is_its_senders_fault_with_line_element_and_rule) {
    int served = 0;
    Rig rig(Messages::Both, helloContract(), [&](core::ExchangePtr exchange) {
        ++served;
        sayHi(std::move(exchange));
    });

    const Answer earlier = rig.call(wrong), later = rig.call(wrong, soap12);

    BOOST_TEST(
        reason(earlier).starts_with("the request is not valid by the contract's schema: line 3, element arg1: "));
    BOOST_TEST(reason(earlier).find("(cvc-complex-type.2.4)") != std::string::npos);
    BOOST_TEST(Document(earlier.body).text("faultcode") == "soap:Client");
    BOOST_TEST(earlier.status == 500);
    BOOST_TEST(later.status == 400);
    BOOST_TEST(Document(later.body).text("Value") == "soap:Sender");
    BOOST_TEST(served == 0);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_not_is_the_services_fault) {
    Rig drafted(Messages::Both, helloContract(), badAnswer), raw(Messages::Answer, helloContract(), rawAnswer);

    const Answer answer = drafted.call(sayHiTo("Ann"));
    BOOST_TEST(reason(answer).starts_with("the service's answer is not valid by the contract's schema: "));
    BOOST_TEST(reason(answer).find("element retrun") != std::string::npos);
    BOOST_TEST(Document(answer.body).text("faultcode") == "soap:Server");
    BOOST_TEST(reason(raw.call(sayHiTo("Ann"))).find("{urn:x}x") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(looks_at_those_messages_only_that_it_is_told_to) {
    Rig requests(Messages::Request, helloContract(), badAnswer), answers(Messages::Answer);

    BOOST_TEST(requests.call(sayHiTo("Ann")).status == 200);
    BOOST_TEST(requests.call(wrong).status == 500);
    BOOST_TEST(answers.call(wrong).status == 200);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_not_one_element_is_not_valid) {
    for (const char* text : {"", "<a/><b/>"}) {
        Rig rig(Messages::Both, helloContract(), [text](core::ExchangePtr exchange) {
            exchange->draft().bytes.append(text);
            exchange->draft().raw = true;
            core::Exchange::reply(std::move(exchange));
        });
        const std::string said = reason(rig.call(sayHiTo("Ann")));
        BOOST_TEST(said.find("element sayHiResponse: the answer is no single element") != std::string::npos, said);
    }
}

BOOST_AUTO_TEST_CASE(leaves_faults_and_what_is_no_XML_to_others) {
    Rig failing(Messages::Both, helloContract(), [](core::ExchangePtr exchange) {
        core::Exchange::fail(std::move(exchange), Error::invalid("my own"));
    });
    Rig broken(Messages::Both, helloContract(), [](core::ExchangePtr exchange) {
        exchange->draft().writer.start("", "left-open");
        core::Exchange::reply(std::move(exchange));
    });

    BOOST_TEST(reason(failing.call(sayHiTo("Ann"))).starts_with("my own"));
    BOOST_TEST(reason(broken.call(sayHiTo("Ann"))).starts_with("the service's answer is no XML"));
}

BOOST_AUTO_TEST_CASE(an_operation_that_takes_anything_has_no_schema) {
    wsdl::Contract contract = helloContract();
    contract.operations[0].any = true;
    Rig rig(Messages::Both, contract);

    BOOST_TEST(rig.call("<anything/>").status == 200);
}

BOOST_AUTO_TEST_CASE(the_schema_is_that_of_the_document_that_came_with_the_service) {
    wsdl::Contract contract = helloContract();
    contract.document =
        "<d:definitions xmlns:d='http://schemas.xmlsoap.org/wsdl/' xmlns:xs='http://www.w3.org/2001/XMLSchema'>"
        "<d:types><xs:schema><xs:import namespace='" +
        std::string(helloNs) +
        "' schemaLocation='types.xsd'/></xs:schema>"
        "</d:types></d:definitions>";
    contract.documents["types.xsd"] =
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='" + std::string(helloNs) +
        "'>"
        "<xs:element name='sayHi'><xs:complexType><xs:sequence><xs:element name='arg0'><xs:simpleType>"
        "<xs:restriction base='xs:string'><xs:pattern "
        "value='[A-Z][a-z]+'/></xs:restriction></xs:simpleType></xs:element>"
        "</xs:sequence></xs:complexType></xs:element></xs:schema>";
    Rig rig(Messages::Request, contract);

    BOOST_TEST(rig.call(sayHiTo("Ann")).status == 200);
    const std::string said = reason(rig.call(sayHiTo("ann")));
    BOOST_TEST(said.find("cvc-pattern-valid") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(a_schema_that_is_none_lets_nothing_pass) {
    wsdl::Contract contract = helloContract();
    contract.document =
        "<d:definitions xmlns:d='http://schemas.xmlsoap.org/wsdl/' xmlns:xs='http://www.w3.org/2001/XMLSchema'>"
        "<d:types><xs:schema><xs:import namespace='urn:x' schemaLocation='http://127.0.0.1:1/x.xsd'/></xs:schema>"
        "</d:types></d:definitions>";
    Rig rig(Messages::Both, contract);

    const Answer answer = rig.call(sayHiTo("Ann"));
    BOOST_TEST(answer.status == 500);
    BOOST_TEST(reason(answer).find("'http://127.0.0.1:1/x.xsd', which the contract lacks") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(calls_from_inside_of_the_bus_are_looked_at_as_well) {
    auto endpoint = helloEndpoint(badAnswer);
    auto chain = std::make_shared<core::Chain>();
    chain->add(validate::makeValidate(endpoint->contract(), {}));
    PortCaller caller(endpoint, {std::make_shared<inproc::TapeBinding>()}, chain);
    const auto call = [&](std::string_view payload) {
        Request request;
        core::WireRequest wire = request.wire();
        xml::Tape tape;
        BOOST_REQUIRE(bool(xml::parse(payload, "", xml::Limits{}, tape)));
        core::Origin origin;
        origin.tape = &tape;
        struct Kept : core::Replier {
            void answer(core::WireAnswer&& answer) override { reason = answer.cause ? answer.cause->reason : ""; }
            std::string reason;
        };
        auto kept = std::make_shared<Kept>();
        caller.port().receive(caller.pool(), caller.port().admit(wire.head), wire, core::ReplyTo(kept), milliseconds(0),
                              origin);
        return kept->reason;
    };
    const std::string ns = "xmlns:h='" + std::string(helloNs) + "'";

    BOOST_TEST(call("<h:sayHi " + ns + "><arg1/></h:sayHi>").starts_with("the request is not valid"));
    BOOST_TEST(call("<h:sayHi " + ns + "><arg0>A</arg0></h:sayHi>").starts_with("the service's answer is not valid"));
}

BOOST_AUTO_TEST_SUITE_END()
