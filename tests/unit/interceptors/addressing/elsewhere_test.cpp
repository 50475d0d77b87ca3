#include "tests/unit/interceptors/addressing/addressing_rig.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

const std::string callback = "http://127.0.0.1:9000/cb", faults = "http://127.0.0.1:9000/faults";

addressing::AddressingConfig allowing() {
    addressing::AddressingConfig config;
    config.replyTo = {"http://127.0.0.1:9000/*", "jms:queue:answers"};
    return config;
}

void refuse(core::ExchangePtr exchange) { core::Exchange::fail(std::move(exchange), Error::invalid("not today")); }

wsdl::Contract withPattern(std::uint32_t mep) {
    wsdl::Contract contract = helloContract();
    contract.operations[0].mep = mep;
    return contract;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(answers_elsewhere)

BOOST_AUTO_TEST_CASE(go_to_the_address_while_the_caller_gets_an_empty_202) {
    AddressingRig rig(allowing());
    const std::string parameters = "<w:ReferenceParameters><p:Key xmlns:p=\"urn:p\">7</p:Key></w:ReferenceParameters>";

    for (const std::string_view ns : {soap11, soap12}) {
        rig.sender->sent.clear();
        const Answer answer = rig.call(ns, usual() + reference("ReplyTo", callback, wsa10, parameters));

        BOOST_TEST(answer.status == 202);
        BOOST_TEST(answer.body.empty());
        BOOST_REQUIRE(rig.sender->sent.size() == 1u);
        const RecordingSender::Sent& sent = rig.sender->sent[0];
        const AnswerHeader header(sent.body);
        BOOST_TEST(sent.address == callback);
        BOOST_TEST(!sent.isFault);
        BOOST_TEST(sent.relatesTo == requestId);
        BOOST_TEST(sent.action == std::string(helloNs) + "HelloWorld/sayHiResponse");
        BOOST_TEST(sent.contentType.starts_with(ns == soap12 ? "application/soap+xml" : "text/xml"));
        BOOST_TEST(header.root.is(ns, "Envelope"));
        BOOST_TEST(header.document.text("return") == "Hello Ann");
        BOOST_TEST(header.text(wsa10, "To") == callback);
        BOOST_TEST(header.text(wsa10, "RelatesTo") == requestId);
        BOOST_TEST(header.text("urn:p", "Key") == "7");
    }
}

BOOST_AUTO_TEST_CASE(go_nowhere_for_none) {
    int greeted = 0;
    AddressingRig rig({}, helloContract(), [&](core::ExchangePtr exchange) {
        ++greeted;
        sayHi(std::move(exchange));
    });

    const Answer answer = rig.call(soap11, usual() + reference("ReplyTo", none10));

    BOOST_TEST(answer.status == 202);
    BOOST_TEST(answer.body.empty());
    BOOST_TEST(greeted == 1);
    BOOST_TEST(rig.sender->sent.empty());
}

BOOST_AUTO_TEST_CASE(faults_go_to_FaultTo_else_to_ReplyTo) {
    AddressingRig rig(allowing(), helloContract(), refuse);

    BOOST_TEST(rig.call(soap11, usual() + reference("ReplyTo", callback) + reference("FaultTo", faults)).status == 202);
    BOOST_TEST(rig.call(soap11, usual() + reference("ReplyTo", callback)).status == 202);
    BOOST_TEST(rig.call(soap11, usual() + reference("ReplyTo", none10)).status == 202);

    BOOST_REQUIRE(rig.sender->sent.size() == 2u);
    BOOST_TEST(rig.sender->sent[0].address == faults);
    BOOST_TEST(rig.sender->sent[1].address == callback);
    for (const auto& each : rig.sender->sent) {
        BOOST_TEST(each.isFault);
        BOOST_TEST(each.action == wsa10 + "/soap/fault");
        BOOST_TEST(AnswerHeader(each.body).text(wsa10, "Action") == wsa10 + "/soap/fault");
        BOOST_TEST(Document(each.body).text("faultstring").starts_with("not today"));
    }
}

BOOST_AUTO_TEST_CASE(a_fault_that_is_to_come_back_does_while_answers_go_elsewhere) {
    const std::string headers = usual() + reference("ReplyTo", callback) + reference("FaultTo", anonymous10);
    AddressingRig failing(allowing(), helloContract(), refuse), greeting(allowing());

    BOOST_TEST(failing.call(soap11, headers).status == 500);
    BOOST_TEST(greeting.call(soap11, headers).status == 202);

    BOOST_TEST(failing.sender->sent.empty());
    BOOST_TEST(greeting.sender->sent.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_answer_comes_back_while_faults_go_elsewhere) {
    const std::string headers = usual() + reference("FaultTo", faults);
    AddressingRig failing(allowing(), helloContract(), refuse), greeting(allowing());

    BOOST_TEST(greeting.call(soap11, headers).status == 200);
    BOOST_TEST(failing.call(soap11, headers).status == 202);

    BOOST_TEST(greeting.sender->sent.empty());
    BOOST_TEST(failing.sender->sent.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_payload_that_nobody_knows_is_a_fault_like_any_other) {
    AddressingRig rig(allowing());
    const std::string known =
        block("Action", std::string(helloNs) + "HelloWorld/sayHi") + block("MessageID", requestId);

    BOOST_TEST(rig.call(soap11, known + reference("ReplyTo", callback), "<h:unknown/>").status == 202);

    BOOST_REQUIRE(rig.sender->sent.size() == 1u);
    BOOST_TEST(rig.sender->sent[0].isFault);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_the_addressing_itself_is_told_to_the_caller) {
    AddressingRig rig(allowing());
    const Answer answer =
        rig.call(soap11, usual() + reference("ReplyTo", callback) + reference("FaultTo", "http://evil/"));

    BOOST_TEST(answer.status == 500);
    BOOST_TEST(rig.sender->sent.empty());
}

BOOST_AUTO_TEST_CASE(an_in_only_operation_has_none_and_needs_no_allowed_address) {
    AddressingRig rig({}, withPattern(POSTBUS_MEP_IN_ONLY),
                      [](core::ExchangePtr exchange) { core::Exchange::reply(std::move(exchange)); });

    BOOST_TEST(rig.call(soap11, usual() + reference("ReplyTo", "http://anywhere/")).status == 202);
    BOOST_TEST(rig.sender->sent.empty());
}

BOOST_AUTO_TEST_CASE(a_robust_in_only_operation_tells_faults_to_FaultTo) {
    AddressingRig rig(allowing(), withPattern(POSTBUS_MEP_ROBUST_IN_ONLY), refuse);

    BOOST_TEST(rig.call(soap11, usual() + reference("FaultTo", faults)).status == 202);
    BOOST_REQUIRE(rig.sender->sent.size() == 1u);
    BOOST_TEST(rig.sender->sent[0].isFault);
}

BOOST_AUTO_TEST_CASE(an_optional_answer_that_is_not_given_is_not_sent) {
    AddressingRig rig(allowing(), withPattern(POSTBUS_MEP_IN_OPTIONAL_OUT),
                      [](core::ExchangePtr exchange) { core::Exchange::reply(std::move(exchange)); });

    BOOST_TEST(rig.call(soap11, usual() + reference("ReplyTo", callback)).status == 202);
    BOOST_TEST(rig.sender->sent.empty());
}

BOOST_AUTO_TEST_CASE(what_can_not_be_delivered_is_kept_where_the_configuration_says) {
    addressing::AddressingConfig config = allowing();
    config.undelivered = "answers.lost";
    AddressingRig keeping(config), dropping(allowing());
    keeping.sender->trouble = dropping.sender->trouble = "connection refused";

    keeping.call(soap11, usual() + reference("ReplyTo", callback));
    dropping.call(soap11, usual() + reference("ReplyTo", callback));

    BOOST_REQUIRE(keeping.sender->keptAnswers.size() == 1u);
    const RecordingSender::Sent& kept = keeping.sender->keptAnswers[0];
    BOOST_TEST(keeping.sender->queue == "answers.lost");
    BOOST_TEST(keeping.sender->why == "connection refused");
    BOOST_TEST(kept.body == keeping.sender->sent[0].body);
    BOOST_TEST(kept.address == callback);
    BOOST_TEST(kept.relatesTo == requestId);
    BOOST_TEST(kept.action == std::string(helloNs) + "HelloWorld/sayHiResponse");
    BOOST_TEST(dropping.sender->keptAnswers.empty());
}

BOOST_AUTO_TEST_SUITE_END()
