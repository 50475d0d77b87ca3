#include "tests/unit/interceptors/addressing/addressing_rig.hpp"

using namespace postbus;
using namespace postbus::test;

BOOST_AUTO_TEST_SUITE(addressed_answers)

BOOST_AUTO_TEST_CASE(a_message_without_the_headers_is_answered_as_if_there_were_no_addressing) {
    AddressingRig rig;

    for (const std::string_view ns : {soap11, soap12})
        for (const std::string header : {"", "<x:Other xmlns:x=\"urn:x\">1</x:Other>"}) {
            const Answer answer = rig.call(ns, header);
            BOOST_TEST(answer.status == 200);
            BOOST_TEST(answer.body.find("Header") == std::string::npos);
            BOOST_TEST(Document(answer.body).text("return") == "Hello Ann");
        }
}

BOOST_AUTO_TEST_CASE(an_answer_relates_to_its_request_in_both_versions_and_editions) {
    AddressingRig rig;

    for (const std::string_view ns : {soap11, soap12})
        for (const std::string& edition : {wsa10, wsa2004}) {
            const Answer answer = rig.call(ns, usual(edition));
            const AnswerHeader header(answer.body);
            BOOST_TEST(answer.status == 200);
            BOOST_TEST(header.document.text("return") == "Hello Ann");
            BOOST_TEST(header.blocks.size() == 4u);
            BOOST_TEST(header.count(edition) == 4u);
            BOOST_TEST(header.text(edition, "RelatesTo") == requestId);
            BOOST_TEST(header.text(edition, "Action") == std::string(helloNs) + "HelloWorld/sayHiResponse");
            BOOST_TEST(header.text(edition, "To") == (edition == wsa10 ? anonymous10 : anonymous2004));
            BOOST_TEST(header.text(edition, "MessageID").starts_with("urn:uuid:"));
            BOOST_TEST(header.text(edition, "MessageID") != requestId);
        }
}

BOOST_AUTO_TEST_CASE(each_answer_has_an_identifier_of_its_own) {
    AddressingRig rig;
    std::vector<std::string> seen;

    for (int i = 0; i < 50; ++i) seen.push_back(AnswerHeader(rig.call(soap11, usual()).body).text(wsa10, "MessageID"));

    std::sort(seen.begin(), seen.end());
    BOOST_TEST((std::unique(seen.begin(), seen.end()) == seen.end()));
    BOOST_TEST(seen.front().size() == std::string("urn:uuid:00000000-0000-4000-8000-000000000001").size());
}

BOOST_AUTO_TEST_CASE(without_a_MessageID_there_is_nothing_to_relate_to) {
    AddressingRig rig;

    const Answer answer = rig.call(soap11, block("Action", "urn:example:sayHi"));

    BOOST_TEST(answer.status == 200);
    BOOST_TEST(AnswerHeader(answer.body).text(wsa10, "RelatesTo") == "(no RelatesTo)");
}

BOOST_AUTO_TEST_CASE(an_empty_action_is_that_of_clients_whose_WSDL_names_none) {
    AddressingRig rig;

    BOOST_TEST(rig.call(soap11, block("Action", "") + block("MessageID", requestId)).status == 200);
}

BOOST_AUTO_TEST_CASE(its_headers_are_understood_and_no_others) {
    AddressingRig rig;
    const std::string must = "xmlns:e=\"" + std::string(soap11) + "\" e:mustUnderstand=\"1\"";
    const std::string good = block("Action", "urn:a", wsa10, must) + block("To", "http://x/", wsa10, must) +
                             block("MessageID", requestId, wsa10, must) + block("RelatesTo", "urn:b", wsa10, must) +
                             block("ReplyTo", "<w:Address>" + anonymous10 + "</w:Address>", wsa10, must);

    BOOST_TEST(rig.call(soap11, good).status == 200);
    const Answer other = rig.call(soap11, good + "<x:Other xmlns:x=\"urn:x\" " + must + "/>");
    BOOST_TEST(other.status == 500);
    BOOST_TEST(Document(other.body).text("faultstring").find("{urn:x}Other") != std::string::npos);
    BOOST_TEST(Document(other.body).text("faultstring").find("Action") == std::string::npos);
    // The fault is an answer, too.
    BOOST_TEST(AnswerHeader(other.body).text(wsa10, "RelatesTo") == requestId);
    BOOST_TEST(AnswerHeader(other.body).text(wsa10, "Action") == wsa10 + "/soap/fault");
    BOOST_TEST(rig.call(soap11, block("Unknown", "x", wsa10, must)).status == 500);
}

BOOST_AUTO_TEST_CASE(headers_for_another_role_are_not_ours) {
    AddressingRig rig;
    const std::string theirs = "xmlns:e=\"" + std::string(soap11) + "\" e:actor=\"urn:somebody\"";

    const Answer none = rig.call(soap11, block("MessageID", "urn:1", wsa10, theirs));
    const Answer both = rig.call(soap11, usual() + block("MessageID", "urn:1", wsa10, theirs));

    BOOST_TEST(none.body.find("Header") == std::string::npos);
    BOOST_TEST(AnswerHeader(both.body).text(wsa10, "RelatesTo") == requestId);
}

BOOST_AUTO_TEST_CASE(with_headers_of_both_editions_the_recommendation_counts) {
    AddressingRig rig;

    const AnswerHeader header(
        rig.call(soap11, usual(wsa2004) + block("Action", "urn:new") + block("MessageID", "urn:2")).body);

    BOOST_TEST(header.count(wsa2004) == 0u);
    BOOST_TEST(header.text(wsa10, "RelatesTo") == "urn:2");
}

BOOST_AUTO_TEST_CASE(reference_parameters_come_back_as_headers_with_their_scope) {
    AddressingRig rig;
    const std::string parameters =
        "<w:ReferenceParameters xmlns:p=\"urn:p\"><p:Key kind=\"p:special\">a &amp; b<p:Inner/></p:Key>"
        "<Plain>1</Plain></w:ReferenceParameters>";

    for (const std::string_view ns : {soap11, soap12}) {
        const Answer answer = rig.call(ns, usual() + reference("ReplyTo", anonymous10, wsa10, parameters));
        const AnswerHeader header(answer.body);
        BOOST_REQUIRE(header.blocks.size() == 6u);
        const Element key = header.blocks[4], plain = header.blocks[5];
        BOOST_TEST(key.is("urn:p", "Key"));
        BOOST_TEST(key.text() == "a & b");
        BOOST_TEST(key.attribute(wsa10, "IsReferenceParameter").value_or("") == "true");
        BOOST_TEST(key.attribute("", "kind").value_or("") == "p:special");
        BOOST_TEST(key.lookup("p").value_or("") == "urn:p");
        BOOST_TEST(bool(key.child("urn:p", "Inner")));
        BOOST_TEST(plain.is("", "Plain"));
    }
}

BOOST_AUTO_TEST_CASE(in_2004_reference_properties_come_back_too_and_are_not_marked) {
    AddressingRig rig;
    const std::string both =
        "<w:ReferenceProperties><p:A xmlns:p=\"urn:p\">1</p:A></w:ReferenceProperties>"
        "<w:ReferenceParameters><p:B xmlns:p=\"urn:p\">2</p:B></w:ReferenceParameters>";

    const AnswerHeader header(
        rig.call(soap11, usual(wsa2004) + reference("ReplyTo", anonymous2004, wsa2004, both)).body);

    BOOST_TEST(header.text("urn:p", "A") == "1");
    BOOST_TEST(header.text("urn:p", "B") == "2");
    BOOST_TEST(!header.blocks.back().attribute(wsa2004, "IsReferenceParameter"));
}

BOOST_AUTO_TEST_CASE(a_fault_goes_with_the_parameters_of_FaultTo_and_the_action_of_faults) {
    AddressingRig rig({}, helloContract(), [](core::ExchangePtr exchange) {
        core::Exchange::fail(std::move(exchange), Error::invalid("no"));
    });
    const std::string to = reference("FaultTo", anonymous10, wsa10,
                                     "<w:ReferenceParameters><p:F xmlns:p=\"urn:p\">f</p:F></w:ReferenceParameters>");

    for (const std::string_view ns : {soap11, soap12}) {
        const Answer answer = rig.call(ns, usual() + to);
        const AnswerHeader header(answer.body);
        BOOST_TEST(answer.status == (ns == soap12 ? 400 : 500));
        BOOST_TEST(header.text(wsa10, "Action") == wsa10 + "/soap/fault");
        BOOST_TEST(header.text(wsa10, "RelatesTo") == requestId);
        BOOST_TEST(header.text("urn:p", "F") == "f");
    }
    BOOST_TEST(AnswerHeader(rig.call(soap11, usual(wsa2004)).body).text(wsa2004, "Action") == wsa2004 + "/fault");
}

BOOST_AUTO_TEST_CASE(a_passed_deadline_is_answered_with_the_headers_too) {
    core::ExchangePtr held;
    AddressingRig rig({}, helloContract(), [&](core::ExchangePtr exchange) { held = std::move(exchange); });
    Request request;
    request.body = envelope(soap11, sayHiTo("Ann"), usual());
    core::WireRequest wire = request.wire();
    const auto recorder = std::make_shared<Recorder>();
    core::ExchangeRef ref = rig.caller.port().receive(rig.caller.pool(), rig.caller.port().admit(wire.head), wire,
                                                      core::ReplyTo(recorder), milliseconds(0));

    ref.expire(Error(Error::Kind::Timeout, "too late"));
    core::Exchange::reply(std::move(held));

    BOOST_TEST(recorder->count == 1);
    BOOST_TEST(AnswerHeader(recorder->last.body).text(wsa10, "RelatesTo") == requestId);
}

BOOST_AUTO_TEST_SUITE_END()
