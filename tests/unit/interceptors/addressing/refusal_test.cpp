#include "tests/unit/interceptors/addressing/addressing_rig.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

/// A fault's codes from the coarse to the fine, as "Sender/InvalidAddressingHeader/InvalidCardinality"; those of SOAP
/// come first, then those of `wsa`.
std::string codes(const Answer& answer, const std::string& wsa) {
    const Document document(answer.body);
    const Element root = document.root();
    std::string all;
    const auto add = [&](Element value) {
        const std::string text = value.text();
        const std::size_t colon = text.find(':');
        const std::string uri(value.lookup(text.substr(0, colon)).value_or("?"));
        all += (all.empty() ? "" : "/") + (uri == wsa || uri == root.uri() ? "" : "{" + uri + "}") +
               text.substr(colon + 1);
    };
    if (root.uri() == soap12)
        for (const Element value : document.all("Value")) add(value);
    else if (const Element code = document.find("faultcode"))
        add(code);
    return all;
}

/// What the fault says of the problem: Detail in SOAP 1.2, the header FaultDetail in SOAP 1.1.
std::string detail(const Answer& answer) {
    const Document document(answer.body);
    const bool later = document.root().uri() == soap12;
    const Element its = document.find(later ? "Detail" : "FaultDetail");
    if (!its) return {};
    std::string all;
    for (Element each = its.firstChild(); each; each = each.next()) {
        std::string value;
        for (Element inner = each.firstChild(); inner; inner = inner.next())
            value += std::string(inner.local()) + "=" + inner.text() + ";";
        all += (all.empty() ? "" : " ") + std::string(each.local()) + ":" + (value.empty() ? each.text() : value);
    }
    return all;
}

struct Bad {
    std::string header, codes, detail;
};

void check(AddressingRig& rig, const Bad& bad, std::string_view body = "",
           const std::vector<std::pair<std::string, std::string>>& headers = {}) {
    BOOST_TEST_CONTEXT(bad.header) {
        const Answer later = rig.call(soap12, bad.header, body, headers);
        BOOST_TEST(later.status == 400);
        BOOST_TEST(codes(later, wsa10) == "Sender/" + bad.codes);
        BOOST_TEST(detail(later) == bad.detail);
        BOOST_TEST(AnswerHeader(later.body).text(wsa10, "Action") == wsa10 + "/fault");

        const Answer earlier = rig.call(soap11, bad.header, body, headers);
        BOOST_TEST(earlier.status == 500);
        BOOST_TEST(codes(earlier, wsa10) == bad.codes.substr(bad.codes.find('/') + 1));
        BOOST_TEST(detail(earlier) == bad.detail);
        // SOAP 1.1 section 4.4: the Body's detail is for what is wrong with the Body.
        BOOST_TEST(!Document(earlier.body).find("detail"));
    }
}

const std::string action = block("Action", "urn:example:sayHi");
const std::string invalid = "InvalidAddressingHeader/";

}  // namespace

BOOST_AUTO_TEST_SUITE(addressing_refusals)

BOOST_AUTO_TEST_CASE(headers_that_stand_there_twice) {
    AddressingRig rig;

    check(rig, {action + action, invalid + "InvalidCardinality", "ProblemHeaderQName:wsa:Action"});
    for (const char* name : {"To", "MessageID"})
        check(rig, {action + block(name, "urn:1") + block(name, "urn:1"), invalid + "InvalidCardinality",
                    "ProblemHeaderQName:wsa:" + std::string(name)});
    for (const char* name : {"From", "ReplyTo", "FaultTo"})
        check(rig, {action + reference(name, anonymous10) + reference(name, anonymous10),
                    invalid + "InvalidCardinality", "ProblemHeaderQName:wsa:" + std::string(name)});
    BOOST_TEST(rig.call(soap11, action + block("RelatesTo", "urn:1") + block("RelatesTo", "urn:2")).status == 200);
}

BOOST_AUTO_TEST_CASE(addresses_that_are_none) {
    AddressingRig rig;

    for (const char* bad :
         {"", "  ", "no scheme", "/relative", "http:", ":x", "http://a b/", "http://a/<x/>", "1\xC2\xA0:"}) {
        if (std::string(bad) == "http://a/<x/>") {
            check(rig, {action + block("To", bad), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:To"});
            continue;
        }
        check(rig, {action + block("To", bad), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:To"});
        check(rig, {action + reference("ReplyTo", bad), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:ReplyTo"});
        check(rig, {action + reference("FaultTo", bad), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:FaultTo"});
        check(rig, {action + reference("From", bad), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:From"});
    }
    check(rig, {action + block("MessageID", ""), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:MessageID"});
    check(rig, {action + block("MessageID", "a b"), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:MessageID"});
    check(rig, {action + block("RelatesTo", ""), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:RelatesTo"});
    check(rig, {block("Action", "two words"), invalid + "InvalidAddress", "ProblemHeaderQName:wsa:Action"});
    BOOST_TEST(rig.call(soap11, action + block("To", " \n http://good/ \t")).status == 200);
}

BOOST_AUTO_TEST_CASE(endpoint_references_that_are_none) {
    AddressingRig rig;
    const auto with = [](std::string_view content) { return action + block("ReplyTo", content); };

    check(rig, {with(""), invalid + "MissingAddressInEPR", "ProblemHeaderQName:wsa:ReplyTo"});
    check(rig, {with("<Address>" + anonymous10 + "</Address>"), invalid + "MissingAddressInEPR",
                "ProblemHeaderQName:wsa:ReplyTo"});
    check(rig, {with("text"), invalid + "InvalidEPR", "ProblemHeaderQName:wsa:ReplyTo"});
    check(rig, {with("<w:Address>urn:a</w:Address><w:Address>urn:a</w:Address>"), invalid + "InvalidEPR",
                "ProblemHeaderQName:wsa:ReplyTo"});
}

BOOST_AUTO_TEST_CASE(reference_parameters_that_would_pass_for_headers_of_the_answer) {
    AddressingRig rig;
    for (const std::string& forged : {block("RelatesTo", "urn:forged"), block("To", "urn:forged", wsa2004),
                                      "<e:Body xmlns:e=\"" + std::string(soap11) + "\"/>",
                                      "<e:NotUnderstood xmlns:e=\"" + std::string(soap12) + "\"/>"})
        check(rig, {action + reference("ReplyTo", anonymous10, wsa10,
                                       "<w:ReferenceParameters>" + forged + "</w:ReferenceParameters>"),
                    invalid + "InvalidEPR", "ProblemHeaderQName:wsa:ReplyTo"});
}

BOOST_AUTO_TEST_CASE(a_message_without_an_action) {
    AddressingRig rig;
    check(rig, {block("MessageID", requestId), "MessageAddressingHeaderRequired", "ProblemHeaderQName:wsa:Action"});
}

BOOST_AUTO_TEST_CASE(a_message_for_nobody) {
    AddressingRig rig;
    check(rig, {action + block("To", none10), "DestinationUnreachable", "ProblemIRI:" + none10});
}

BOOST_AUTO_TEST_CASE(an_address_elsewhere_where_none_is_allowed) {
    AddressingRig rig;
    for (const char* name : {"ReplyTo", "FaultTo"})
        check(rig, {usual() + reference(name, "http://127.0.0.1:18182/cb"), invalid + "OnlyAnonymousAddressSupported",
                    "ProblemHeaderQName:wsa:" + std::string(name)});
    BOOST_TEST(rig.sender->sent.empty());
}

BOOST_AUTO_TEST_CASE(an_address_elsewhere_that_is_not_among_those_allowed) {
    addressing::AddressingConfig config;
    config.replyTo = {"http://127.0.0.1:9000/*"};
    AddressingRig rig(config);

    check(rig, {usual() + reference("ReplyTo", "http://127.0.0.1:9001/cb"), invalid + "InvalidAddress",
                "ProblemHeaderQName:wsa:ReplyTo"});
    BOOST_TEST(rig.sender->sent.empty());
}

BOOST_AUTO_TEST_CASE(one_s_own_connection_where_answers_go_elsewhere) {
    addressing::AddressingConfig config;
    config.replyTo = {"http://127.0.0.1:9000/*"};
    config.responses = addressing::Responses::NonAnonymous;
    AddressingRig rig(config);

    for (const std::string& header : {usual(), usual() + reference("ReplyTo", anonymous10)})
        check(rig, {header, invalid + "OnlyNonAnonymousAddressSupported", "ProblemHeaderQName:wsa:ReplyTo"});
}

BOOST_AUTO_TEST_CASE(an_answer_elsewhere_that_could_not_be_told_from_others) {
    addressing::AddressingConfig config;
    config.replyTo = {"http://127.0.0.1:9000/*"};
    AddressingRig rig(config);

    check(rig, {action + reference("ReplyTo", "http://127.0.0.1:9000/cb"), "MessageAddressingHeaderRequired",
                "ProblemHeaderQName:wsa:MessageID"});
}

BOOST_AUTO_TEST_CASE(a_SOAPAction_that_says_something_else) {
    AddressingRig rig;

    check(rig,
          {usual(), invalid + "ActionMismatch",
           "ProblemAction:Action=urn:example:sayHi;SoapAction=urn:other; ProblemHeaderQName:wsa:Action"},
          "", {{"SOAPAction", "\"urn:other\""}});
    for (const char* fine : {"\"urn:example:sayHi\"", "urn:example:sayHi", "\"\"", ""})
        BOOST_TEST(rig.call(soap11, usual(), "", {{"SOAPAction", fine}}).status == 200, fine);
}

BOOST_AUTO_TEST_CASE(an_action_that_the_contract_does_not_give_to_the_operation) {
    wsdl::Contract contract = helloContract();
    contract.operations[0].soapAction = "urn:hello:sayHi";
    AddressingRig named({}, contract);
    check(named, {usual(), "ActionNotSupported", "ProblemAction:Action=urn:example:sayHi;"});
    BOOST_TEST(named.call(soap11, block("Action", "urn:hello:sayHi")).status == 200);

    AddressingRig open;
    check(open, {usual(), "ActionNotSupported", "ProblemAction:Action=urn:example:sayHi;"}, "<h:unknown/>");
    addressing::AddressingConfig policy;
    policy.policy = addressing::Policy::Optional;
    AddressingRig advertised(policy);
    check(advertised, {usual(), "ActionNotSupported", "ProblemAction:Action=urn:example:sayHi;"});
    BOOST_TEST(advertised.call(soap11, block("Action", std::string(helloNs) + "HelloWorld/sayHi")).status == 200);
    BOOST_TEST(advertised.call(soap11, "").status == 200);
}

BOOST_AUTO_TEST_CASE(a_known_action_does_not_make_an_unknown_payload_known) {
    AddressingRig rig;
    const Answer answer = rig.call(soap11, block("Action", std::string(helloNs) + "HelloWorld/sayHi"), "<h:unknown/>");
    BOOST_TEST(Document(answer.body).text("faultstring").find("no operation for element") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_headers_where_they_are_required) {
    addressing::AddressingConfig config;
    config.policy = addressing::Policy::Required;
    AddressingRig rig(config);

    for (const std::string header : {"", "<x:Other xmlns:x=\"urn:x\"/>"})
        check(rig, {header, "MessageAddressingHeaderRequired", "ProblemHeaderQName:wsa:Action"});
}

BOOST_AUTO_TEST_CASE(a_refusal_relates_to_its_request_where_that_can_be_named) {
    AddressingRig rig;

    const AnswerHeader header(rig.call(soap11, usual() + block("To", "")).body);

    BOOST_TEST(header.text(wsa10, "RelatesTo") == requestId);
    BOOST_TEST(header.text(wsa10, "To") == anonymous10);
}

BOOST_AUTO_TEST_CASE(the_submission_has_codes_of_its_own_and_no_finer_ones) {
    AddressingRig rig;
    const std::string its = block("Action", "urn:a", wsa2004);
    const auto code = [&](const std::string& header) { return codes(rig.call(soap12, header), wsa2004); };

    BOOST_TEST(code(its + its) == "Sender/InvalidMessageInformationHeader");
    BOOST_TEST(code(its + reference("ReplyTo", "", wsa2004)) == "Sender/InvalidMessageInformationHeader");
    BOOST_TEST(code(its + reference("ReplyTo", "http://elsewhere/", wsa2004)) ==
               "Sender/InvalidMessageInformationHeader");
    BOOST_TEST(code(block("MessageID", "urn:1", wsa2004)) == "Sender/MessageInformationHeaderRequired");
    BOOST_TEST(codes(rig.call(soap11, its + its), wsa2004) == "InvalidMessageInformationHeader");
}

BOOST_AUTO_TEST_CASE(a_service_that_is_not_there_just_now) {
    AddressingRig rig({}, helloContract(), [](core::ExchangePtr exchange) {
        core::Exchange::fail(std::move(exchange), Error(Error::Kind::Unavailable, "later"));
    });

    const Answer later = rig.call(soap12, usual()), earlier = rig.call(soap11, usual());

    BOOST_TEST(later.status == 503);
    BOOST_TEST(codes(later, wsa10) == "Receiver/EndpointUnavailable");
    BOOST_TEST(detail(later) == "RetryAfter:1000");
    BOOST_TEST(codes(earlier, wsa10) == "EndpointUnavailable");
    BOOST_TEST(detail(earlier) == "RetryAfter:1000");
}

BOOST_AUTO_TEST_SUITE_END()
