#include "transports/queue/soap_jms.hpp"

#include <boost/test/unit_test.hpp>

#include "transports/queue/jms_uri.hpp"

using namespace postbus;
using namespace postbus::queue;

namespace {

/// A request as the recommendation wants it.
queues::Message request() {
    queues::Message message;
    message.properties = {{"SOAPJMS_requestURI", std::string("jms:queue:hello.requests")},
                          {"SOAPJMS_bindingVersion", std::string("1.0")},
                          {"SOAPJMS_contentType", std::string("text/xml; charset=utf-8")},
                          {"SOAPJMS_soapAction", std::string("\"urn:hi\"")},
                          {"SOAPJMS_targetService", std::string("HelloWorld")}};
    message.body = "<x/>";
    return message;
}

/// The same with one property changed; an empty value: without it.
queues::Message with(std::string_view name, std::string value) {
    queues::Message message = request();
    std::erase_if(message.properties, [&](const auto& each) { return each.name == name; });
    if (!value.empty()) message.properties.push_back({std::string(name), std::move(value)});
    return message;
}

std::string subcodeOf(const queues::Message& message) {
    RequestProperties properties;
    const auto fault = readRequest(message, properties);
    if (!fault) return "";
    BOOST_TEST((fault->code == core::Fault::Code::Sender));
    BOOST_TEST(fault->subcodeUri == "http://www.w3.org/2010/soapjms/");
    return fault->subcode;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(soap_jms)

BOOST_AUTO_TEST_CASE(reads_the_properties_of_a_request) {
    const queues::Message message = request();
    RequestProperties properties;

    BOOST_TEST(!readRequest(message, properties));

    BOOST_TEST(properties.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(properties.soapAction == "urn:hi");
    BOOST_TEST(properties.targetService == "HelloWorld");
    BOOST_TEST(properties.contentEncoding == "");
}

BOOST_AUTO_TEST_CASE(refuses_with_the_fault_of_the_recommendation) {
    BOOST_TEST(subcodeOf(request()) == "");
    BOOST_TEST(subcodeOf(with("SOAPJMS_requestURI", "")) == "missingRequestURI");
    BOOST_TEST(subcodeOf(with("SOAPJMS_requestURI", "http://x/")) == "malformedRequestURI");
    BOOST_TEST(subcodeOf(with("SOAPJMS_requestURI", "jms:queue:q?priority=10")) == "malformedRequestURI");
    BOOST_TEST(subcodeOf(with("SOAPJMS_requestURI", "jms:queue:q?targetService=x")) ==
               "targetServiceNotAllowedInRequestURI");
    BOOST_TEST(subcodeOf(with("SOAPJMS_bindingVersion", "")) == "unrecognizedBindingVersion");
    BOOST_TEST(subcodeOf(with("SOAPJMS_bindingVersion", "2.0")) == "unrecognizedBindingVersion");
    BOOST_TEST(subcodeOf(with("SOAPJMS_contentType", "")) == "missingContentType");
    BOOST_TEST(subcodeOf(with("SOAPJMS_contentType", "nonsense")) == "contentTypeMismatch");
    BOOST_TEST(subcodeOf(with("SOAPJMS_contentType", "application/soap+xml; action=\"urn:other\"")) ==
               "mismatchedSoapAction");
    BOOST_TEST(subcodeOf(with("SOAPJMS_contentType", "application/soap+xml; action=\"urn:hi\"")) == "");
}

BOOST_AUTO_TEST_CASE(compares_the_charset_with_the_declaration) {
    queues::Message message = request();
    message.body = "<?xml version='1.0' encoding='ISO-8859-1'?><x/>";
    BOOST_TEST(subcodeOf(message) == "contentTypeMismatch");
    message.body = "<?xml version='1.0' encoding='UTF-8'?><x/>";
    BOOST_TEST(subcodeOf(message) == "");
    message.body = "<?xml version='1.0'?><x encoding='a'/>";
    BOOST_TEST(subcodeOf(message) == "");
}

BOOST_AUTO_TEST_CASE(takes_messages_of_clients_that_are_older_than_the_recommendation) {
    RequestProperties properties;
    queues::Message axis;
    axis.properties = {{"Content-Type", std::string("text/xml")}, {"SOAPAction", std::string("urn:hi")}};
    BOOST_TEST(!readRequest(axis, properties));
    BOOST_TEST(properties.contentType == "text/xml");
    BOOST_TEST(properties.soapAction == "urn:hi");

    queues::Message plain;
    plain.contentType = "application/soap+xml";
    BOOST_TEST(!readRequest(plain, properties));
    BOOST_TEST(properties.contentType == "application/soap+xml");

    BOOST_TEST(subcodeOf(queues::Message()) == "missingContentType");
}

BOOST_AUTO_TEST_CASE(an_answer_is_correlated_with_its_request_and_as_durable_and_urgent) {
    queues::Message asked = request();
    asked.id = "ID:1";
    asked.priority = 7;
    asked.persistent = false;
    asked.timestamp = 1'000;
    asked.expires = 61'000;

    queues::Message answer = makeAnswer(asked, "text/xml", "<y/>", false);
    BOOST_TEST(answer.correlationId == "ID:1");
    BOOST_TEST(answer.id == "");
    BOOST_TEST(answer.priority == 7);
    BOOST_TEST(!answer.persistent);
    BOOST_TEST(answer.timeToLive.count() == 60'000);
    BOOST_TEST(answer.body == "<y/>");
    BOOST_TEST(answer.contentType == "text/xml");
    const std::vector<queues::Property> expected = {{"SOAPJMS_bindingVersion", std::string("1.0")},
                                                    {"SOAPJMS_contentType", std::string("text/xml")},
                                                    {"SOAPJMS_isFault", false}};
    BOOST_TEST((answer.properties == expected));

    asked.correlationId = "mine";
    answer = makeAnswer(asked, "text/xml", "<y/>", true);
    BOOST_TEST(answer.correlationId == "mine");
    BOOST_TEST((answer.properties.back() == queues::Property{"SOAPJMS_isFault", true}));
}

BOOST_AUTO_TEST_CASE(reads_jms_uris) {
    const auto uri = JmsUri::parse("JMS:queue:a%20b?replyToName=c%2Fd&priority=3&timeToLive=1000");
    BOOST_REQUIRE(uri);
    BOOST_TEST((uri->variant == JmsUri::Variant::Queue));
    BOOST_TEST(uri->destination == "a b");
    BOOST_TEST(uri->parameters.at("replyToName") == "c/d");
    BOOST_TEST(uri->parameters.size() == 3u);
    BOOST_TEST((JmsUri::parse("jms:topic:t")->variant == JmsUri::Variant::Topic));
    BOOST_TEST((JmsUri::parse("jms:jndi:a/b?jndi-x=1")->variant == JmsUri::Variant::Jndi));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_jms_uri) {
    for (const char* each :
         {"", "jms", "jms:", "jms:queue", "jms:queue:", "jms:other:x", "jms:/x", "jms:queue:a%2", "jms:queue:a%zz",
          "jms:queue:a b", "jms:queue:a?", "jms:queue:a?x", "jms:queue:a?=1", "jms:queue:a?x=1&x=2",
          "jms:queue:a?deliveryMode=SOMETIMES", "jms:queue:a?priority=11", "jms:queue:a?timeToLive=-1"})
        BOOST_TEST(!JmsUri::parse(each), each);
}

BOOST_AUTO_TEST_SUITE_END()
