#include "bindings/soap/answer_reader.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/hello_endpoint.hpp"

using namespace postbus;
using core::Fault;
using test::envelope, test::soap11, test::soap12;

namespace {

struct Read {
    xml::Tape tape;
    Result<soap::RemoteAnswer> answer;

    explicit Read(const std::string& text) : answer(soap::readAnswer(text, {}, tape)) {}
};

}  // namespace

BOOST_AUTO_TEST_SUITE(answer_reader)

BOOST_AUTO_TEST_CASE(finds_the_payload_of_either_version) {
    for (const std::string_view ns : {soap11, soap12}) {
        const Read read(envelope(ns, "<a xmlns=\"urn:a\"/>"));
        BOOST_REQUIRE(read.answer);
        BOOST_TEST(read.answer->payload.is("urn:a", "a"));
        BOOST_TEST(!read.answer->fault);
    }
    const Read empty(envelope(soap11, ""));
    BOOST_REQUIRE(empty.answer);
    BOOST_TEST(!empty.answer->payload);
}

BOOST_AUTO_TEST_CASE(reads_a_fault_of_soap_11_with_its_detail) {
    const Read read(
        envelope(soap11,
                 "<s:Fault><faultcode>s:Client.Quota</faultcode><faultstring>no &amp; no</faultstring>"
                 "<detail><d:why xmlns:d=\"urn:d\">full</d:why><d:more xmlns:d=\"urn:d\"/></detail></s:Fault>"));

    BOOST_REQUIRE(read.answer);
    BOOST_REQUIRE(read.answer->fault);
    const Fault& fault = *read.answer->fault;
    BOOST_TEST((fault.code == Fault::Code::Sender));
    BOOST_TEST(fault.reason == "no & no");
    // With all namespaces that its content may name.
    const std::string both =
        " xmlns:d=\"urn:d\" xmlns:s=\"" + std::string(soap11) + "\" xmlns:h=\"" + std::string(test::helloNs) + "\"";
    BOOST_TEST(fault.detail == "<d:why" + both + ">full</d:why><d:more" + both + "/>");
    BOOST_TEST(fault.subcode.empty());
}

BOOST_AUTO_TEST_CASE(reads_a_fault_of_soap_12_with_its_subcode) {
    const Read read(
        envelope(soap12,
                 "<s:Fault><s:Code><s:Value>s:Receiver</s:Value><s:Subcode><s:Value xmlns:m=\"urn:m\">m:busy"
                 "</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang=\"en\">later</s:Text></s:Reason>"
                 "</s:Fault>"));

    BOOST_REQUIRE(read.answer);
    BOOST_REQUIRE(read.answer->fault);
    const Fault& fault = *read.answer->fault;
    BOOST_TEST((fault.code == Fault::Code::Receiver));
    BOOST_TEST(fault.reason == "later");
    BOOST_TEST(fault.subcodeUri == "urn:m");
    BOOST_TEST(fault.subcode == "busy");
}

BOOST_AUTO_TEST_CASE(a_code_of_a_specification_in_soap_11_is_a_subcode) {
    const Read read(envelope(soap11,
                             "<s:Fault><faultcode xmlns:w=\"urn:w\">w:ActionNotSupported</faultcode>"
                             "<faultstring>x</faultstring></s:Fault>"));

    BOOST_REQUIRE(read.answer);
    BOOST_REQUIRE(read.answer->fault);
    BOOST_TEST(read.answer->fault->subcodeUri == "urn:w");
    BOOST_TEST(read.answer->fault->subcode == "ActionNotSupported");
}

BOOST_AUTO_TEST_CASE(a_fault_without_anything_is_still_one) {
    for (const std::string_view ns : {soap11, soap12}) {
        const Read read(envelope(ns, "<s:Fault/>"));
        BOOST_REQUIRE(read.answer);
        BOOST_REQUIRE(read.answer->fault);
        BOOST_TEST(read.answer->fault->reason == "the service gave no reason");
        BOOST_TEST((read.answer->fault->code == Fault::Code::Receiver));
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_envelope_is_the_services_fault) {
    for (const std::string_view text : {"", "<open>", "<html/>", "<!DOCTYPE a><a/>", "not xml"}) {
        const Read read{std::string(text)};
        BOOST_REQUIRE(!read.answer);
        BOOST_TEST((read.answer.error().kind() == Error::Kind::BadGateway));
    }
}

BOOST_AUTO_TEST_SUITE_END()
