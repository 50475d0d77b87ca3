#include <boost/test/unit_test.hpp>

#include "tests/unit/bindings/soap/soap_rig.hpp"

using namespace postbus;
using namespace postbus::test;
using namespace std::string_literals;

namespace {

std::shared_ptr<FunctionEndpoint> giving(std::string bytes) {
    return helloEndpoint([bytes](core::ExchangePtr exchange) {
        exchange->draft().raw = true;
        exchange->draft().bytes.append(bytes);
        exchange->draft().contentType = "application/octet-stream";
        core::Exchange::reply(std::move(exchange));
    });
}

std::shared_ptr<FunctionEndpoint> writing(std::function<void(core::PayloadWriter&)> write) {
    return helloEndpoint([write](core::ExchangePtr exchange) {
        write(exchange->draft().writer);
        core::Exchange::reply(std::move(exchange));
    });
}

wsdl::Contract echoContract() {
    wsdl::Contract contract = helloContract();
    wsdl::Operation any;
    any.name = "echo";
    any.any = any.nonblocking = true;
    contract.operations = {any};
    return contract;
}

void echo(core::ExchangePtr exchange) {
    exchange->draft().writer.copyContent(exchange->content());
    core::Exchange::reply(std::move(exchange));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(soap_answer)

BOOST_AUTO_TEST_CASE(an_answer_that_xml_cannot_carry_is_the_receivers_fault) {
    for (const auto& text : {"a\x0B"
                             "b"s,
                             "a\0b"s, "\xFF"s, "\xEF\xBF\xBF"s}) {
        SoapRig rig(writing([text](core::PayloadWriter& writer) {
            writer.start(helloNs, "sayHiResponse");
            writer.text(text);
            writer.end();
        }));

        const Answer answer = rig.post(good11);

        BOOST_TEST(answer.status == 500);
        BOOST_TEST(ReadFault(answer).code == "Server");
        BOOST_TEST(ReadFault(answer).reason.find("the service's answer is no XML: ") == 0u);
        BOOST_TEST(answer.body.find('\x0B') == std::string::npos);
    }
    SoapRig open(writing([](core::PayloadWriter& writer) { writer.start(helloNs, "sayHiResponse"); }));
    BOOST_TEST(ReadFault(open.post(good11)).code == "Server");
}

BOOST_AUTO_TEST_CASE(the_answers_names_cannot_be_caught_by_the_envelopes_prefix) {
    SoapRig rig(writing([](core::PayloadWriter& writer) {
        writer.start("urn:mine", "a", "soap");
        writer.start(soap11, "b", "soap");
        writer.end();
        writer.end();
    }));

    const Document document(rig.post(good11).body);

    BOOST_TEST(document.find("a").uri() == "urn:mine");
    BOOST_TEST(document.find("b").uri() == soap11);
}

BOOST_AUTO_TEST_CASE(bytes_become_the_bodys_content_as_they_are) {
    for (const auto& bytes :
         {"<a xmlns='urn:a'>1 &amp; 2</a>"s, "<?xml version='1.0' encoding='UTF-8'?>\n<a xmlns='urn:a'>1 &amp; 2</a>"s,
          "\xEF\xBB\xBF<a xmlns='urn:a'>1 &amp; 2</a>"s, "<a xmlns='urn:a'>1 &amp; 2</a>\n<b/>"s}) {
        SoapRig rig(giving(bytes));
        const Answer answer = rig.post(good11);
        BOOST_TEST(answer.status == 200, bytes);
        BOOST_TEST(answer.contentType == "text/xml; charset=utf-8", bytes);
        const Document document(answer.body);
        BOOST_TEST(document.find("a").parent().is(soap11, "Body"), bytes);
        BOOST_TEST(document.text("a") == "1 & 2", bytes);
    }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_elements_are_the_receivers_fault) {
    for (const auto& bytes : {"{\"a\": 1}"s, "<a>"s, "</soap:Body>"s, "<soap:a/>"s, "</answer><answer>"s, "<a/>\x0B"s,
                              "<a>\xFF</a>"s, "\x89PNG\r\n"s, "<!DOCTYPE a><a/>"s, "<?xml version='1.0'"s}) {
        SoapRig rig(giving(bytes));
        const Answer answer = rig.post(good11);
        BOOST_TEST(answer.status == 500, bytes);
        BOOST_TEST(ReadFault(answer).code == "Server", bytes);
    }
}

BOOST_AUTO_TEST_CASE(an_in_only_message_is_accepted_with_nothing_to_read) {
    for (const std::uint32_t mep : {POSTBUS_MEP_IN_ONLY, POSTBUS_MEP_ROBUST_IN_ONLY}) {
        wsdl::Contract contract = helloContract();
        contract.operations[0].mep = mep;
        contract.operations[0].outElement.clear();
        contract.operations[0].out = nullptr;
        SoapRig good(contract, [](core::ExchangePtr exchange) { core::Exchange::reply(std::move(exchange)); });
        SoapRig bad(contract, [](core::ExchangePtr exchange) {
            core::Exchange::fail(std::move(exchange), Error::invalid("no"));
        });

        const Answer taken = good.post(good11), failed = bad.post(good11);

        BOOST_TEST(taken.status == 202);
        BOOST_TEST(taken.body == "");
        BOOST_TEST(taken.contentType == "");
        if (mep == POSTBUS_MEP_IN_ONLY) {  // in-only has no faults, robust-in-only has
            BOOST_TEST(failed.status == 202);
            BOOST_TEST(failed.body == "");
        } else {
            BOOST_TEST(ReadFault(failed).code == "Client");
        }
        BOOST_TEST(ReadFault(good.post("<cut")).code == "Client");
        BOOST_TEST(ReadFault(good.post(envelope(soap11, "<h:nope/>"))).code == "Client");
    }
}

BOOST_AUTO_TEST_CASE(an_optional_answer_may_lack) {
    wsdl::Contract contract = helloContract();
    contract.operations[0].mep = POSTBUS_MEP_IN_OPTIONAL_OUT;
    SoapRig silent(contract, [](core::ExchangePtr exchange) { core::Exchange::reply(std::move(exchange)); }),
        talking(contract);

    BOOST_TEST(silent.post(good11).status == 202);
    BOOST_TEST(talking.post(good11).status == 200);
}

BOOST_AUTO_TEST_CASE(a_services_own_headers_go_out_with_the_answer) {
    SoapRig rig(helloEndpoint([](core::ExchangePtr exchange) {
        exchange->draft().headers.emplace_back("X-Hits", "3");
        sayHi(std::move(exchange));
    }));

    BOOST_TEST(rig.post(good11).header("x-hits") == "3");
}

BOOST_AUTO_TEST_CASE(an_operation_that_takes_anything_gets_it_whole) {
    SoapRig rig(echoContract(), echo);

    for (const std::string_view ns : {soap11, soap12}) {
        for (const auto* content : {"<q:sayHi xmlns:q='urn:q' xmlns:t='urn:t' a='1' q:b='2'><i:v xmlns:i='urn:i' "
                                    "t='t:name'>t:qname</i:v> mixed <q:e/> text </q:sayHi>",
                                    "<a><![CDATA[<&>]]> x</a>", "<a xmlns='urn:1'><b xmlns=''/></a><c/>", ""}) {
            const std::string sent = envelope(ns, content);
            const Answer answer = rig.post(sent);
            BOOST_TEST(answer.status == 200, content);
            const Document back(answer.body), there(sent);
            BOOST_TEST(infoset(back.find("Body")) == infoset(there.find("Body")), content);
        }
    }
    const Document back(rig.post(envelope(soap11, "<a xmlns:t='urn:t'><v>t:qname</v></a>")).body);
    BOOST_TEST(*back.find("v").lookup("t") == "urn:t");  // a QName in content keeps its meaning
}

BOOST_AUTO_TEST_SUITE_END()
