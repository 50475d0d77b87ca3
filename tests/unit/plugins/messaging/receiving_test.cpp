#include "tests/unit/plugins/messaging/messaging_house.hpp"

namespace postbus::messaging::test {

BOOST_AUTO_TEST_SUITE(receiving_by_plugins)

BOOST_AUTO_TEST_CASE(gives_what_is_there_and_nothing_when_the_time_is_over) {
    House house;
    Service service;
    Client client(house.hub, service);
    send(client, "q", "1");

    Told first, second;
    receive(client, "q", milliseconds(0), first);
    receive(client, "q", milliseconds(0), second);

    BOOST_TEST(first.body == "1");
    BOOST_TEST(int(second.kind) == POSTBUS_QUEUE_NOTHING);
    BOOST_TEST(!client.idle());
    Handler::done(first.delivery);
    BOOST_TEST(client.idle());
    BOOST_TEST(house.its().status("q")->consumers == 0u);
}

BOOST_AUTO_TEST_CASE(tells_later_without_holding_a_thread) {
    House house;
    Service service;
    Client client(house.hub, service);
    Told told, timed;
    receive(client, "q", std::chrono::hours(1), told, false);
    receive(client, "other", milliseconds(120), timed, false);
    BOOST_TEST(told.times == 0);

    send(client, "q", "1");

    BOOST_TEST(postbus::test::eventually([&] { return told.times == 1 && timed.times == 1; }));
    BOOST_TEST(told.body == "1");
    BOOST_TEST(int(timed.kind) == POSTBUS_QUEUE_NOTHING);
    Handler::done(told.delivery);
    BOOST_TEST(postbus::test::eventually([&] { return service.inside == 0; }));
}

BOOST_AUTO_TEST_CASE(settles_in_every_way) {
    House house;
    Service service;
    Client client(house.hub, service);
    send(client, "q", "1");
    const auto take = [&] {
        Told told;
        receive(client, "q", milliseconds(5000), told);
        BOOST_REQUIRE(told.delivery);
        return told.delivery;
    };

    for (int i = 0; i < 5; ++i) {
        postbus_delivery* const lent = take();
        BOOST_TEST(lent->count == 1u);
        settle(lent, POSTBUS_SETTLE_RELEASE, {}, false, nullptr, nullptr);
    }
    for (std::uint32_t attempt = 1; attempt <= 3; ++attempt) {
        postbus_delivery* const lent = take();
        BOOST_TEST(lent->count == attempt);
        settle(lent, POSTBUS_SETTLE_FAIL, "no use", false, nullptr, nullptr);
    }
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("DLQ.q") == 1; }));
    send(client, "q", "2");
    settle(take(), POSTBUS_SETTLE_SET_ASIDE, "poison", false, nullptr, nullptr);
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("DLQ.q") == 2; }));

    for (const char* reason : {"no use", "poison"}) {
        Told told, done;
        receive(client, "DLQ.q", milliseconds(5000), told);
        BOOST_REQUIRE(told.delivery);
        BOOST_TEST(text(told.delivery->dead_origin) == "q");
        BOOST_TEST(text(told.delivery->dead_reason) == reason);
        settle(told.delivery, POSTBUS_SETTLE_DONE, {}, true, Told::take, &done);
        BOOST_TEST(int(done.kind) == POSTBUS_QUEUE_DONE);
    }
    house.close();
    BOOST_TEST(house.depth("DLQ.q") == 0u);
}

BOOST_AUTO_TEST_CASE(ends_when_the_service_leaves_and_never_loses_a_message_by_that) {
    House house;
    Service service;
    Client client(house.hub, service);
    Told told, later;
    std::thread waits([&] { receive(client, "q", std::chrono::hours(1), told); });
    BOOST_TEST(postbus::test::eventually([&] {
        const auto status = house.its().status("q");
        return status && status->consumers == 1;
    }));

    client.leave();
    waits.join();
    receive(client, "q", std::chrono::hours(1), later);

    BOOST_TEST(int(told.kind) == POSTBUS_QUEUE_CLOSED);
    BOOST_TEST(int(later.kind) == POSTBUS_QUEUE_CLOSED);
    BOOST_TEST(int(send(client, "q", "1")) == POSTBUS_QUEUE_DONE);  // that goes on
    BOOST_TEST(house.ready("q") == 1u);
}

BOOST_AUTO_TEST_CASE(refuses_what_can_not_be) {
    House house;
    Service service;
    Client client(house.hub, service);
    Told selector, topic;
    receive(client, "q", milliseconds(0), selector, true, "a = ");
    BOOST_TEST(int(selector.kind) == POSTBUS_QUEUE_INVALID);
    const postbus_destination from = to("t", POSTBUS_DESTINATION_TOPIC);
    const postbus_consumer how{sizeof(postbus_consumer), 1, 0, {}, {}};
    client.receive(nullptr, &from, &how, 0, true, Told::take, &topic);
    BOOST_TEST(int(topic.kind) == POSTBUS_QUEUE_INVALID);
}

BOOST_AUTO_TEST_CASE(gives_back_what_the_plugin_keeps_when_it_is_given_up) {
    House house;
    Service service;
    Client client(house.hub, service);
    send(client, "q", "1");
    Told told, again, late;
    receive(client, "q", milliseconds(5000), told);

    client.leave();
    client.giveUp();

    BOOST_TEST(postbus::test::eventually([&] { return house.ready("q") == 1; }));
    settle(told.delivery, POSTBUS_SETTLE_DONE, {}, true, Told::take, &late);
    BOOST_TEST(int(late.kind) == POSTBUS_QUEUE_NOT_FOUND);
    BOOST_TEST(house.ready("q") == 1u);
}

BOOST_AUTO_TEST_CASE(loses_no_message_however_its_waits_end) {
    constexpr int count = 300;
    House house;
    Service service;
    Client client(house.hub, service);
    std::atomic<int> got{0}, bad{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            while (got < count) {
                Told told;
                // Shorter than the messages are apart: many come just as the time is over.
                receive(client, "q", milliseconds(100), told);
                if (!told.delivery) continue;
                if (told.delivery->count != 1) ++bad;
                ++got;
                Handler::done(told.delivery);
            }
        });
    for (int i = 0; i < count; ++i) {
        send(client, "q", std::to_string(i));
        if (i % 50 == 0) std::this_thread::sleep_for(milliseconds(110));
    }
    for (std::thread& each : threads) each.join();

    BOOST_TEST(got == count);
    BOOST_TEST(bad == 0);
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace postbus::messaging::test
