#include "tests/unit/transports/queue/queue_house.hpp"

using namespace postbus;
using namespace postbus::test;
using House = QueueHouse;

BOOST_AUTO_TEST_SUITE(queue_transport)

BOOST_AUTO_TEST_CASE(answers_a_request_on_its_reply_queue) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.id = "ID:bob";
    house.send(std::move(request));

    const auto answers = house.messages("answers", 1);

    const queues::Message& answer = *answers[0].message;
    BOOST_TEST(holds(answer.body, "Hello Bob"));
    BOOST_TEST(answer.correlationId == "ID:bob");
    BOOST_TEST(answer.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(!isFault(answer));
    BOOST_TEST(house.depth("requests") == 0u);
}

BOOST_AUTO_TEST_CASE(waits_without_counting_attempts_until_the_service_is_there) {
    House house;
    house.publish(false);
    house.take();
    for (const char* name : {"A", "B", "C"}) house.send(House::request(name));
    BOOST_TEST(test::eventually([&] { return house.engine->status("requests")->inFlight == 3; }));

    house.publish(true);

    const auto answers = house.messages("answers", 3);
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST(holds(answers[i].message->body, std::string("Hello ") + static_cast<char>('A' + i)));
    BOOST_TEST(house.engine->status("requests")->redelivered == 0u);
}

BOOST_AUTO_TEST_CASE(answers_faults_of_the_binding_with_their_subcode) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.correlationId = "mine";
    request.properties[1].value = std::string("7");
    house.send(std::move(request));

    const auto answers = house.messages("answers", 1);

    const queues::Message& answer = *answers[0].message;
    BOOST_TEST(isFault(answer));
    BOOST_TEST(answer.correlationId == "mine");
    BOOST_TEST(holds(answer.body,
                     "<faultcode xmlns:sub=\"http://www.w3.org/2010/soapjms/\">"
                     "sub:unrecognizedBindingVersion</faultcode>"));
}

BOOST_AUTO_TEST_CASE(answers_in_the_soap_version_of_the_request) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.properties[2].value = std::string("application/soap+xml; charset=utf-8");
    request.body = envelope(soap12, sayHiTo("Bob"));
    house.send(std::move(request));
    queues::Message wrong = House::request("Bob");
    wrong.properties[2].value = std::string("application/soap+xml");
    wrong.properties[0].value = std::string("jms:queue:");
    house.send(std::move(wrong));

    const auto answers = house.messages("answers", 2);

    BOOST_TEST(answers[0].message->contentType == "application/soap+xml; charset=utf-8");
    BOOST_TEST(holds(answers[1].message->body,
                     "<soap:Value xmlns:sub=\"http://www.w3.org/2010/soapjms/\">"
                     "sub:malformedRequestURI</soap:Value></soap:Subcode>"));
}

BOOST_AUTO_TEST_CASE(a_fault_that_nobody_waits_for_is_set_aside_with_its_reason) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo.clear();
    request.body = "<no-soap/>";
    house.send(std::move(request));

    const auto dead = house.messages("DLQ.requests", 1);

    BOOST_REQUIRE(dead[0].deadLetter);
    BOOST_TEST(dead[0].deadLetter->origin == "requests");
    BOOST_TEST(holds(dead[0].deadLetter->reason, "Envelope"));
    BOOST_TEST(house.depth("requests") == 0u);
}

BOOST_AUTO_TEST_CASE(an_answer_that_nobody_waits_for_ends_the_message) {
    House house;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        ++calls;
        sayHi(std::move(exchange));
    });
    house.publish(true);
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo.clear();
    house.send(std::move(request));

    BOOST_TEST(test::eventually([&] { return house.engine->status("requests")->acknowledged == 1; }));
    BOOST_TEST(calls == 1);
    BOOST_TEST(house.depth("DLQ.requests") == 0u);
}

BOOST_AUTO_TEST_CASE(tries_again_what_may_pass) {
    House house;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        if (++calls < 3) return core::Exchange::fail(std::move(exchange), Error(Error::Kind::Unavailable, "not yet"));
        sayHi(std::move(exchange));
    });
    house.publish(true);
    house.take();
    house.send(House::request("Bob"));

    const auto answers = house.messages("answers", 1);

    BOOST_TEST(!isFault(*answers[0].message));
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(tells_the_caller_after_the_last_attempt) {
    House house;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        ++calls;
        core::Exchange::fail(std::move(exchange), Error(Error::Kind::Unavailable, "never"));
    });
    house.publish(true);
    queues::QueueSettings settings;
    settings.maxDeliveries = 2;
    settings.redeliveryDelay = milliseconds(1);
    BOOST_REQUIRE(house.engine->declareQueue("requests", settings));
    house.endpoints[0].maxDeliveries = 2;
    house.take();
    house.send(House::request("Bob"));
    queues::Message oneWay = House::request("Bob");
    oneWay.replyTo.clear();
    house.send(std::move(oneWay));

    const auto answers = house.messages("answers", 1);
    const auto dead = house.messages("DLQ.requests", 1);

    BOOST_TEST(isFault(*answers[0].message));
    BOOST_TEST(holds(answers[0].message->body, "never"));
    BOOST_TEST(dead[0].deadLetter->reason == "never");
    BOOST_TEST(dead[0].deadLetter->attempts == 2u);
    BOOST_TEST(calls == 4);
}

BOOST_AUTO_TEST_CASE(stops_waiting_for_a_service_that_takes_too_long) {
    House house;
    std::mutex mutex;
    core::ExchangePtr held;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        if (++calls > 1) return sayHi(std::move(exchange));
        const std::lock_guard lock(mutex);
        held = std::move(exchange);
    });
    house.publish(true);
    house.take();
    house.send(House::request("Bob"));

    const auto answers = house.messages("answers", 1);
    BOOST_TEST(!isFault(*answers[0].message));
    BOOST_TEST(calls == 2);
    BOOST_TEST(house.bus.figures().timeouts == 1u);
    const std::lock_guard lock(mutex);
    core::Exchange::reply(std::move(held));
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE(a_request_whose_answer_has_no_place_is_set_aside) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo = "temp.gone";
    house.send(std::move(request));

    const auto dead = house.messages("DLQ.requests", 1);

    BOOST_TEST(holds(dead[0].deadLetter->reason, "temp.gone"));
}

BOOST_AUTO_TEST_SUITE_END()
