#include "transports/queue/queue_sender.hpp"

#include <atomic>
#include <future>

#include "tests/unit/transports/queue/queue_house.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

core::OutboundMessage message(std::string_view body) {
    core::OutboundMessage made;
    made.contentType = "text/xml; charset=utf-8";
    made.body.append(body);
    made.headers = {{"SOAPAction", "\"urn:done\""}, {"JMSCorrelationID", "urn:uuid:1"}, {"SOAPJMS_isFault", "true"}};
    return made;
}

/// Sends and waits; the trouble, or "".
std::string troubleOf(core::Sender& sender, std::string_view uri) {
    std::promise<std::string> told;
    sender.send(uri, message("<x/>"), TimePoint::max(),
                [&](Result<core::OutboundReply> reply) { told.set_value(reply ? "" : reply.error().message()); });
    return told.get_future().get();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(queue_sender, QueueHouse)

BOOST_AUTO_TEST_CASE(puts_a_message_on_the_queue_of_the_address_for_good) {
    queue::QueueSender sender([this] { return engine; });

    BOOST_TEST(troubleOf(sender,
                         "jms:queue:an%20swers?priority=8&deliveryMode=NON_PERSISTENT&replyToName=r&targetService=S") ==
               "");

    const auto there = engine->browse("an swers", {.bodies = true});
    BOOST_REQUIRE(there);
    BOOST_REQUIRE(there->size() == 1u);
    const queues::Message& sent = *there->front().message;
    BOOST_TEST(sent.body == "<x/>");
    BOOST_TEST(sent.correlationId == "urn:uuid:1");
    BOOST_TEST(sent.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(sent.priority == 8);
    BOOST_TEST(!sent.persistent);
    BOOST_TEST(sent.replyTo == "r");
    const std::vector<queues::Property> wanted{{"SOAPJMS_bindingVersion", std::string("1.0")},
                                               {"SOAPJMS_requestURI", std::string("jms:queue:an%20swers")},
                                               {"SOAPJMS_contentType", std::string("text/xml; charset=utf-8")},
                                               {"SOAPJMS_isFault", true},
                                               {"PostbusHops", std::int64_t{1}},
                                               {"SOAPJMS_soapAction", std::string("urn:done")},
                                               {"SOAPJMS_targetService", std::string("S")}};
    BOOST_TEST((sent.properties == wanted));
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_with_an_address) {
    queue::QueueSender sender([this] { return engine; });

    for (const char* bad : {"jms:topic:x", "jms:jndi:x", "jms:queue:", "jms:queue:a?priority=99", "http://x/"}) {
        BOOST_TEST(!sender.check(bad), bad);
        BOOST_TEST(troubleOf(sender, bad) != "", bad);
    }
    BOOST_TEST(bool(sender.check("jms:queue:x")));
    BOOST_TEST(troubleOf(sender, "jms:queue:" + std::string(300, 'x')).starts_with("jms:queue:xxx"));
}

BOOST_AUTO_TEST_CASE(says_that_there_is_no_store) {
    queue::QueueSender sender([] { return std::shared_ptr<queues::Engine>(); });

    BOOST_TEST(troubleOf(sender, "jms:queue:x") == "jms:queue:x: the queues are out of service");
}

BOOST_AUTO_TEST_SUITE_END()
