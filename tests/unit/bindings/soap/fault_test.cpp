#include <boost/test/unit_test.hpp>

#include <thread>

#include "tests/unit/bindings/soap/soap_rig.hpp"

using namespace postbus;
using namespace postbus::test;
using namespace std::string_literals;

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const std::string_view each : parts) all += each;
    return all;
}

/// An endpoint that fails each call so.
std::shared_ptr<FunctionEndpoint> failing(const core::Fault& fault) {
    return helloEndpoint([fault](core::ExchangePtr exchange) { core::Exchange::fail(std::move(exchange), fault); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(soap_fault)

BOOST_AUTO_TEST_CASE(a_fault_has_the_shape_of_its_version_and_the_request_id) {
    core::Fault fault;
    fault.code = core::Fault::Code::Sender;
    fault.reason = "no such order: <7> & \"8\"";
    fault.detail = "<f:Why xmlns:f='urn:example:f' f:a='1'>7</f:Why><g/>";
    SoapRig rig(failing(fault));

    const Answer one = rig.post(good11), two = rig.post(good12, type12);
    const ReadFault read11(one), read12(two);

    BOOST_TEST(one.status == 500);
    BOOST_TEST(one.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(read11.version == "1.1");
    BOOST_TEST(read11.code == "Client");
    BOOST_TEST(read11.reason == "no such order: <7> & \"8\" (request " + one.requestId + ")");
    BOOST_TEST(!one.requestId.empty());
    const std::vector<std::string> order11{"faultcode", "faultstring", "detail"};
    BOOST_TEST(read11.order == order11, boost::test_tools::per_element());
    BOOST_TEST(read11.detail == "{}detail\n  {urn:example:f}Why {urn:example:f}a=\"1\"\n    7\n  {}g\n");

    BOOST_TEST(two.status == 400);
    BOOST_TEST(two.contentType == "application/soap+xml; charset=utf-8");
    BOOST_TEST(read12.version == "1.2");
    BOOST_TEST(read12.code == "Sender");
    BOOST_TEST(read12.reason == "no such order: <7> & \"8\" (request " + two.requestId + ")");
    const std::vector<std::string> order12{"Code", "Reason", "Detail"};
    BOOST_TEST(read12.order == order12, boost::test_tools::per_element());
    const Document document(two.body);
    BOOST_TEST(*document.find("Text").attribute("http://www.w3.org/XML/1998/namespace", "lang") == "en");
    BOOST_TEST(document.all("Detail").size() == 1);
    BOOST_TEST(one.fault == fault.reason);
}

BOOST_AUTO_TEST_CASE(the_receivers_faults_are_500_in_both) {
    SoapRig rig(failing({}));

    const Answer one = rig.post(good11), two = rig.post(good12, type12);

    BOOST_TEST(one.status == 500);
    BOOST_TEST(ReadFault(one).code == "Server");
    BOOST_TEST(two.status == 500);
    BOOST_TEST(ReadFault(two).code == "Receiver");
    BOOST_TEST(!Document(one.body).find("detail"));
    BOOST_TEST(!Document(two.body).find("Detail"));
}

BOOST_AUTO_TEST_CASE(what_xml_forbids_never_reaches_an_answer) {
    core::Fault fault;
    fault.reason =
        "a\x0B"
        "b\0c\xFF\xEF\xBF\xBF]]>"s;
    SoapRig rig(failing(fault));

    const Answer answer = rig.post(good11);

    BOOST_TEST(has(ReadFault(answer).reason, "a?b?c????]]> (request "));
}

BOOST_AUTO_TEST_CASE(detail_that_is_not_well_formed_is_left_out) {
    for (const auto* detail :
         {"<a>", "</detail><detail>", "<x:a/>", "<a>\x0B</a>", "<!DOCTYPE a>", "&nope;", "<?xml version='1.0'?><a/>"}) {
        core::Fault fault;
        fault.reason = "failed";
        fault.detail = detail;
        SoapRig rig(failing(fault));
        BOOST_TEST(ReadFault(rig.post(good11)).detail == "", detail);
        BOOST_TEST(has(ReadFault(rig.post(good12)).reason, "failed"), detail);
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_parsed_is_the_senders_fault_and_says_where) {
    SoapRig rig;
    std::string deep;
    for (int i = 0; i < 300; ++i) deep += "<a>";
    for (int i = 0; i < 300; ++i) deep += "</a>";
    const std::string bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY a \"haha\"><!ENTITY b \"&a;&a;\">]>\n" +
                             envelope(soap11, sayHiTo("&b;"));

    for (const std::string& body : {""s,
                                    " "s,
                                    "no xml"s,
                                    "{\"a\": 1}"s,
                                    good11.substr(0, good11.size() - 5),
                                    good11 + "<a/>",
                                    good11 + "text",
                                    envelope(soap11, sayHiTo("a&#11;b")),
                                    envelope(soap11, sayHiTo("a\x0B"
                                                             "b")),
                                    envelope(soap11, sayHiTo("a\0b"s)),
                                    envelope(soap11, sayHiTo("&#0;")),
                                    envelope(soap11, sayHiTo("&#xFFFE;")),
                                    envelope(soap11, sayHiTo("&#xD800;")),
                                    envelope(soap11, sayHiTo("\xC0\xAF")),
                                    envelope(soap11, sayHiTo("\xED\xA0\x80")),
                                    envelope(soap11, sayHiTo("\xFF")),
                                    envelope(soap11, sayHiTo("&nope;")),
                                    envelope(soap11, "<h:sayHi a='1' a='2'/>"),
                                    envelope(soap11, "<h:sayHi xmlns:x='urn:x' xmlns:y='urn:x' x:a='1' y:a='2'/>"),
                                    envelope(soap11, "<q:sayHi/>"),
                                    envelope(soap11, "<h:sayHi>" + deep + "</h:sayHi>"),
                                    bomb,
                                    envelope(soap11, "<?pi?><h:sayHi/>"),
                                    "<!DOCTYPE a SYSTEM \"file:///etc/hostname\">" + good11}) {
        const Answer answer = rig.post(body);
        const ReadFault fault(answer);
        BOOST_TEST(answer.status == 500, body);
        BOOST_TEST(fault.code == "Client", body);
        BOOST_TEST(fault.version == "1.1", body);
        BOOST_TEST(!has(answer.body, "haha"), body);
        BOOST_TEST(!has(answer.body, "\x0B"), body);
        BOOST_TEST(!has(answer.body, "&#11;"), body);
        BOOST_TEST(!has(answer.body, "\xEF\xBF\xBD"), body);
    }
    const std::string cut =
        "<s:Envelope xmlns:s='" + std::string(soap11) + "'>\n\n<s:Body>\n<open></s:Body></s:Envelope>";
    BOOST_TEST(has(ReadFault(rig.post(cut)).reason, "line 4"));
}

BOOST_AUTO_TEST_CASE(unreadable_messages_are_answered_in_the_version_of_their_media_type) {
    SoapRig rig;

    const Answer two = rig.post("<cut", type12);
    BOOST_TEST(two.status == 400);
    BOOST_TEST(two.contentType == "application/soap+xml; charset=utf-8");
    BOOST_TEST(ReadFault(two).code == "Sender");
    BOOST_TEST(ReadFault(rig.post("<cut", "text/xml")).version == "1.1");
    BOOST_TEST(ReadFault(rig.post("<cut", "")).version == "1.1");

    soap::SoapConfig only12;
    only12.versions = {soap::Version::Soap12};
    SoapRig later(helloEndpoint(), only12);
    BOOST_TEST(ReadFault(later.post("<cut", "text/xml")).version == "1.2");
    soap::SoapConfig only11;
    only11.versions = {soap::Version::Soap11};
    SoapRig earlier(helloEndpoint(), only11);
    BOOST_TEST(ReadFault(earlier.post("<cut", type12)).version == "1.1");
}

BOOST_AUTO_TEST_CASE(envelopes_that_are_put_together_wrongly_are_refused) {
    SoapRig rig;
    const std::string start = "<s:Envelope xmlns:s='", h = "' xmlns:h='" + std::string(helloNs) + "'>",
                      end = "</s:Envelope>";
    const std::string body = "<s:Body><h:sayHi/></s:Body>";

    for (const std::string_view ns : {soap11, soap12}) {
        const std::string open = joined({start, ns, h});
        for (const std::string& content :
             {""s, "<s:Header/>"s, body + body, "<s:Header/><s:Header/>" + body, body + "<s:Header/>", "<x/>" + body,
              "text" + body, body + "text", "<s:Header>text</s:Header>" + body, "<Body><h:sayHi/></Body>"s,
              "<s:Body>text</s:Body>"s, "<s:Body>text<h:sayHi/></s:Body>"s, "<s:Body><h:sayHi/><h:sayHi/></s:Body>"s,
              "<s:Body/>"s}) {
            const Answer answer = rig.post(joined({open, content, end}));
            BOOST_TEST(ReadFault(answer).code == (ns == soap11 ? "Client" : "Sender"), content);
            BOOST_TEST(answer.status == (ns == soap11 ? 500 : 400), content);
        }
        BOOST_TEST(ReadFault(rig.post(joined({open, body, "<x:a xmlns:x='urn:x'/>", end}))).code ==
                   (ns == soap11 ? "(no fault)" : "Sender"));
    }
    const auto reason = [&](const std::string& content) {
        return ReadFault(rig.post(joined({start, soap11, h, content, end}))).reason;
    };
    BOOST_TEST(
        has(reason(body + "<s:Header/>"), "{" + std::string(soap11) + "}Header stands behind the Body (line 1)"));
    BOOST_TEST(has(reason("<s:Header/><s:Header/>" + body), "a second Header (line 1)"));
    BOOST_TEST(has(reason("<s:Header/>" + body + "<s:Header/>"), "a second Header (line 1)"));
    BOOST_TEST(has(reason(body + body), "a second Body (line 1)"));
    BOOST_TEST(has(ReadFault(rig.post("<html/>")).reason, "{}html"));
    BOOST_TEST(ReadFault(rig.post("<html/>")).code == "Client");
}

BOOST_AUTO_TEST_CASE(an_envelope_of_another_namespace_is_a_version_mismatch_with_upgrade) {
    SoapRig rig;

    const Answer answer = rig.post(envelope("http://www.w3.org/2003/05/soap-envelope/", sayHiTo("Bob")));

    BOOST_TEST(answer.status == 500);
    BOOST_TEST(answer.contentType == "text/xml; charset=utf-8");
    const ReadFault fault(answer);
    BOOST_TEST(fault.version == "1.1");
    BOOST_TEST(fault.code == "VersionMismatch");
    const Document document(answer.body);
    const Element upgrade = document.find("Upgrade");
    BOOST_REQUIRE(upgrade);
    BOOST_TEST(upgrade.uri() == soap12);
    BOOST_TEST(upgrade.parent().is(soap11, "Header"));
    const std::vector<Element> supported = document.all("SupportedEnvelope");
    BOOST_REQUIRE(supported.size() == 2);
    const auto qname = [](Element each) {
        const std::string_view text = *each.attribute("", "qname");
        return std::string(each.lookup(text.substr(0, text.find(':'))).value_or("?")) + " " +
               std::string(text.substr(text.find(':') + 1));
    };
    BOOST_TEST(qname(supported[0]) == std::string(soap12) + " Envelope");
    BOOST_TEST(qname(supported[1]) == std::string(soap11) + " Envelope");
    BOOST_TEST(ReadFault(rig.post(envelope("urn:x", sayHiTo("Bob")), type12)).code == "VersionMismatch");
    BOOST_TEST(ReadFault(rig.post("<Envelope/>")).code == "VersionMismatch");
}

BOOST_AUTO_TEST_CASE(a_version_that_is_switched_off_is_a_mismatch_in_terms_the_caller_knows) {
    soap::SoapConfig only11, only12;
    only11.versions = {soap::Version::Soap11};
    only12.versions = {soap::Version::Soap12};
    SoapRig earlier(helloEndpoint(), only11), later(helloEndpoint(), only12);

    const Answer to11 = earlier.post(good12, type12), to12 = later.post(good11);

    BOOST_TEST(ReadFault(to11).version == "1.1");
    BOOST_TEST(ReadFault(to11).code == "VersionMismatch");
    BOOST_TEST(!Document(to11.body).find("Upgrade"));
    BOOST_TEST(ReadFault(to12).version == "1.1");
    BOOST_TEST(ReadFault(to12).code == "VersionMismatch");
    BOOST_TEST(to12.status == 500);
    BOOST_TEST(Document(to12.body).all("SupportedEnvelope").size() == 1);
}

BOOST_AUTO_TEST_CASE(a_header_that_must_be_understood_and_is_not_stops_the_call) {
    int calls = 0;
    SoapRig rig(helloEndpoint([&](core::ExchangePtr exchange) {
        ++calls;
        sayHi(std::move(exchange));
    }));
    const auto with11 = [&](const std::string& attributes) {
        return rig.post(
            envelope(soap11, sayHiTo("Bob"), "<x:Pay xmlns:x='urn:example:pay' " + attributes + ">1</x:Pay>"));
    };
    const auto with12 = [&](const std::string& attributes) {
        return rig.post(
            envelope(soap12, sayHiTo("Bob"), "<x:Pay xmlns:x='urn:example:pay' " + attributes + ">1</x:Pay>"), type12);
    };
    const std::string next11 = "http://schemas.xmlsoap.org/soap/actor/next", role12 = std::string(soap12) + "/role/";

    for (const std::string& attributes :
         {"s:mustUnderstand='1'"s, "s:mustUnderstand=' 1 '"s, "s:mustUnderstand='1' s:actor=''"s,
          "s:mustUnderstand='1' s:actor='" + next11 + "'"}) {
        const Answer answer = with11(attributes);
        BOOST_TEST(answer.status == 500, attributes);
        BOOST_TEST(ReadFault(answer).code == "MustUnderstand", attributes);
        BOOST_TEST(has(ReadFault(answer).reason, "{urn:example:pay}Pay"), attributes);
        BOOST_TEST(!Document(answer.body).find("NotUnderstood"), attributes);
    }
    for (const std::string& attributes :
         {"s:mustUnderstand='1'"s, "s:mustUnderstand='true'"s, "s:mustUnderstand='true' s:role=''"s,
          "s:mustUnderstand='true' s:role='" + role12 + "next'",
          "s:mustUnderstand='true' s:role='" + role12 + "ultimateReceiver'"}) {
        const Answer answer = with12(attributes);
        BOOST_TEST(answer.status == 500, attributes);
        BOOST_TEST(ReadFault(answer).code == "MustUnderstand", attributes);
    }
    BOOST_TEST(calls == 0);

    for (const std::string& attributes : {""s, "s:mustUnderstand='0'"s, "s:mustUnderstand='1' s:actor='urn:other'"s,
                                          "mustUnderstand='1'"s, "x:mustUnderstand='1'"s})
        BOOST_TEST(with11(attributes).status == 200, attributes);
    for (const std::string& attributes :
         {"s:mustUnderstand='0'"s, "s:mustUnderstand='false'"s, "s:mustUnderstand='1' s:role='urn:other'"s,
          "s:mustUnderstand='1' s:role='" + role12 + "none'", "s:actor='" + next11 + "'"})
        BOOST_TEST(with12(attributes).status == 200, attributes);

    for (const auto* value : {"true", "false", "2", "", "yes"})
        BOOST_TEST(ReadFault(with11("s:mustUnderstand='" + std::string(value) + "'")).code == "Client", value);
    for (const auto* value : {"TRUE", "2", "", "yes"})
        BOOST_TEST(ReadFault(with12("s:mustUnderstand='" + std::string(value) + "'")).code == "Sender", value);
}

BOOST_AUTO_TEST_CASE(soap_12_names_each_header_that_was_not_understood) {
    SoapRig rig;

    const Answer answer =
        rig.post(envelope(soap12, sayHiTo("Bob"),
                          "<x:P xmlns:x='urn:&quot;p&amp;' s:mustUnderstand='true'/><y:Fine xmlns:y='urn:y'/>"
                          "<Q s:mustUnderstand='1'/>"),
                 type12);

    const Document document(answer.body);
    const std::vector<Element> blocks = document.all("NotUnderstood");
    BOOST_REQUIRE(blocks.size() == 2);
    BOOST_TEST(blocks[0].parent().is(soap12, "Header"));
    const std::string_view qname = *blocks[0].attribute("", "qname");
    BOOST_TEST(qname.substr(qname.find(':') + 1) == "P");
    BOOST_TEST(*blocks[0].lookup(qname.substr(0, qname.find(':'))) == "urn:\"p&");
    BOOST_TEST(*blocks[1].attribute("", "qname") == "Q");
    const std::vector<std::string> order{"Code", "Reason"};
    BOOST_TEST(ReadFault(answer).order == order, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unknown_operation_is_the_senders_fault_and_is_named) {
    SoapRig rig;

    const Answer other = rig.post(envelope(soap11, "<q:sayHi xmlns:q='urn:example:other'><arg0>Gus</arg0></q:sayHi>"),
                                  "text/xml", {{"SOAPAction", "\"urn:example:other/sayHi\""}});
    const Answer nope = rig.post(envelope(soap12, "<nope xmlns='urn:example:nope'/>"), type12);

    BOOST_TEST(other.status == 500);
    BOOST_TEST(ReadFault(other).code == "Client");
    BOOST_TEST(has(ReadFault(other).reason, "{urn:example:other}sayHi"));
    BOOST_TEST(has(ReadFault(other).reason, "urn:example:other/sayHi"));
    BOOST_TEST(nope.status == 400);
    BOOST_TEST(ReadFault(nope).code == "Sender");
    BOOST_TEST(ReadFault(rig.post(envelope(soap11, "<sayHi/>"))).code == "Client");
}

BOOST_AUTO_TEST_CASE(what_the_transport_turns_away_keeps_its_status) {
    SoapRig rig;
    Request request;
    const std::pair<Error::Kind, int> kinds[] = {{Error::Kind::TooLarge, 413},    {Error::Kind::Unsupported, 415},
                                                 {Error::Kind::Unavailable, 503}, {Error::Kind::Unauthorized, 401},
                                                 {Error::Kind::Forbidden, 403},   {Error::Kind::Invalid, 500},
                                                 {Error::Kind::Internal, 500},    {Error::Kind::Timeout, 500}};

    for (const auto& [kind, status] : kinds) {
        const Answer answer = rig.caller.refused(request, Error(kind, "turned away"));
        BOOST_TEST(answer.status == status);
        BOOST_TEST(ReadFault(answer).reason == "turned away (request refused-1)");
        BOOST_TEST((answer.retryAfter.count() > 0) == (kind == Error::Kind::Unavailable));
    }
    request.contentType = type12;
    const Answer later = rig.caller.refused(request, Error(Error::Kind::Invalid, "bad"));
    BOOST_TEST(later.status == 400);
    BOOST_TEST(ReadFault(later).version == "1.2");
}

BOOST_AUTO_TEST_CASE(a_timeout_is_the_receivers_fault_in_the_envelopes_version) {
    core::ExchangePtr held;
    SoapRig rig(helloEndpoint([&](core::ExchangePtr exchange) { held = std::move(exchange); }));
    for (const auto& [body, version] : {std::pair{good11, "1.1"s}, std::pair{good12, "1.2"s}}) {
        Request request;
        request.body = body;  // SOAP 1.2 under text/xml too
        core::WireRequest wire = request.wire();
        auto recorder = std::make_shared<Recorder>();
        core::ExchangeRef ref = rig.caller.port().receive(rig.caller.pool(), rig.caller.port().admit(wire.head), wire,
                                                          core::ReplyTo(recorder), milliseconds(5));

        ref.expire(Error(Error::Kind::Timeout, "no answer within 5 ms"));

        BOOST_TEST(recorder->last.status == 500);
        const ReadFault fault(recorder->last);
        BOOST_TEST(fault.version == version);
        BOOST_TEST(fault.code == (version == "1.1" ? "Server" : "Receiver"));
        BOOST_TEST(has(fault.reason, "no answer within 5 ms (request "));
        sayHi(std::move(held));  // too late: counted, not sent
        BOOST_TEST(recorder->count == 1);
    }
    BOOST_TEST(rig.caller.pool().counters().late == 2);
}

BOOST_AUTO_TEST_CASE(a_service_that_gives_no_answer_is_the_receivers_fault) {
    SoapRig rig(helloEndpoint([](core::ExchangePtr) {}));

    const Answer answer = rig.post(good11);

    BOOST_TEST(answer.status == 500);
    BOOST_TEST(ReadFault(answer).code == "Server");
}

BOOST_AUTO_TEST_SUITE_END()
