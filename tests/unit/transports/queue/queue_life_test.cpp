#include <set>

#include "tests/unit/transports/queue/queue_house.hpp"

using namespace postbus;
using namespace postbus::test;
using House = QueueHouse;

BOOST_AUTO_TEST_SUITE(queue_life)

BOOST_AUTO_TEST_CASE(in_only_is_acknowledged_at_its_end) {
    House house;
    wsdl::Contract contract = helloContract();
    contract.operations[0].mep = POSTBUS_MEP_IN_ONLY;
    std::mutex mutex;
    core::ExchangePtr held;
    std::atomic<int> calls{0};
    house.service = std::make_shared<FunctionEndpoint>(contract, [&](core::ExchangePtr exchange) {
        const std::lock_guard lock(mutex);
        held = std::move(exchange);
        ++calls;
    });
    house.publish(true);
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo.clear();
    house.send(request);
    BOOST_TEST(test::eventually([&] { return calls == 1; }));
    BOOST_TEST(house.depth("requests") == 1u);

    {
        const std::lock_guard lock(mutex);
        core::Exchange::reply(std::move(held));
    }
    BOOST_TEST(test::eventually([&] { return house.depth("requests") == 0; }));
    house.send(request);
    BOOST_TEST(test::eventually([&] { return calls == 2; }));
    {
        const std::lock_guard lock(mutex);
        core::Exchange::fail(std::move(held), Error::internal("it broke"));
    }
    BOOST_TEST(house.messages("DLQ.requests", 1)[0].deadLetter->reason == "it broke");
}

BOOST_AUTO_TEST_CASE(a_fault_of_in_only_is_told_to_nobody) {
    House house;
    wsdl::Contract contract = helloContract();
    contract.operations[0].mep = POSTBUS_MEP_IN_ONLY;
    house.service = std::make_shared<FunctionEndpoint>(contract, [](core::ExchangePtr exchange) {
        const bool passes = exchange->payload().text() == "passes";
        core::Exchange::fail(std::move(exchange), Error(passes ? Error::Kind::Unavailable : Error::Kind::Internal,
                                                        passes ? "not now" : "it broke"));
    });
    house.publish(true);
    house.take();
    house.send(House::request("stays"));
    house.send(House::request("passes"));  // on its last attempt, too

    const auto dead = house.messages("DLQ.requests", 2);

    BOOST_TEST(dead[0].deadLetter->reason == "it broke");
    BOOST_TEST(dead[1].deadLetter->reason == "not now");
    BOOST_TEST(dead[1].deadLetter->attempts == 5u);
    BOOST_TEST(house.depth("answers") == 0u);
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE(what_is_open_at_the_deadline_of_a_stop_comes_again) {
    House house;
    std::mutex mutex;
    std::vector<core::ExchangePtr> held;
    std::atomic<bool> holding{true};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        if (!holding) return sayHi(std::move(exchange));
        const std::lock_guard lock(mutex);
        held.push_back(std::move(exchange));
    });
    house.publish(true);
    house.endpoints[0].consumers = 2;
    house.take();
    for (const char* name : {"A", "B", "C", "D"}) house.send(House::request(name));
    BOOST_TEST(test::eventually([&] {
        const std::lock_guard lock(mutex);
        return held.size() == 2;
    }));
    bool abandoned = false;  // checked on this thread: the checks are not made for two at once
    std::thread releasing([&] {
        abandoned = test::eventually([&] { return house.bus.figures().abandoned == 2; });
        const std::lock_guard lock(mutex);
        held.clear();
    });

    BOOST_TEST(house.transport.stop(Clock::now() + milliseconds(20)) == 2u);
    releasing.join();
    BOOST_TEST(abandoned);
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
    house.client.reset();
    BOOST_TEST(bool(house.engine->stop()));
    house.engine.reset();

    holding = false;
    house.open();
    house.take();
    std::set<std::string> names;
    for (const auto& each : house.messages("answers", 4)) {
        const auto at = each.message->body.find("Hello ");
        BOOST_REQUIRE(at != std::string::npos);
        names.insert(each.message->body.substr(at + 6, 1));
    }
    BOOST_TEST((names == std::set<std::string>{"A", "B", "C", "D"}));
}

BOOST_AUTO_TEST_CASE(an_endpoint_that_is_taken_away_ends_what_it_has_begun) {
    House house;
    std::mutex mutex;
    core::ExchangePtr held;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        const std::lock_guard lock(mutex);
        held = std::move(exchange);
        ++calls;
    });
    house.publish(true);
    house.take();
    for (const char* name : {"A", "B", "C"}) house.send(House::request(name));
    BOOST_TEST(test::eventually([&] { return calls == 1; }));

    house.transport.apply(house.engine, {});

    BOOST_TEST(test::eventually([&] { return house.engine->status("requests")->ready == 2; }));
    {
        const std::lock_guard lock(mutex);
        sayHi(std::move(held));
    }
    BOOST_TEST(holds(house.messages("answers", 1)[0].message->body, "Hello A"));
    BOOST_TEST(test::eventually([&] { return house.depth("requests") == 2; }));
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_SUITE_END()
