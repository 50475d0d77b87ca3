#include <condition_variable>
#include <set>
#include <stdexcept>

#include "tests/unit/plugins/messaging/messaging_house.hpp"

namespace postbus::messaging::test {
namespace {

/// Holds handlers until it is opened.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool isOpen = false;

    void wait() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return isOpen; });
    }
    void open() {
        const std::lock_guard lock(mutex);
        isOpen = true;
        changed.notify_all();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(subscriptions_of_plugins)

BOOST_AUTO_TEST_CASE(takes_nothing_before_it_serves_and_then_in_order) {
    House house;
    Service service;
    Client client(house.hub, service);
    for (int i = 0; i < 20; ++i) send(client, "q", std::to_string(i));
    Handler handler;
    BOOST_REQUIRE(subscribe(client, "q", handler));
    BOOST_TEST(house.its().status("q")->consumers == 0u);

    client.serve();

    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
    const auto bodies = handler.all();
    BOOST_REQUIRE(bodies.size() == 20u);
    for (int i = 0; i < 20; ++i) BOOST_TEST(bodies[std::size_t(i)] == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(takes_nothing_before_the_bus_is_complete) {
    House house;
    Hub hub(house.bus, [&] { return house.open(); });
    Service service;
    Handler handler;
    {
        Client client(hub, service);
        subscribe(client, "q", handler);
        client.serve();
        BOOST_REQUIRE(house.open());
        hub.apply(house.engine);
        BOOST_TEST(int(send(client, "q", "1")) == POSTBUS_QUEUE_DONE);
        BOOST_TEST(house.its().status("q")->consumers == 0u);

        hub.serve();

        BOOST_TEST(postbus::test::eventually([&] { return handler.taken == 1; }));
        client.leave();
        BOOST_TEST(postbus::test::eventually([&] { return handler.closed == 1; }));
    }
    hub.stop();
}

BOOST_AUTO_TEST_CASE(ends_at_once_for_a_service_that_never_served) {
    House house;
    Service service;
    Handler handler;
    {
        Client client(house.hub, service);
        BOOST_REQUIRE(subscribe(client, "q", handler));
        client.leave();
        BOOST_TEST(handler.closed == 1);
        client.serve();
        BOOST_TEST(!subscribe(client, "q", handler));
    }
    BOOST_TEST(handler.closed == 1);
    BOOST_TEST(service.inside == 0);
    BOOST_TEST(house.opened == 0);
}

BOOST_AUTO_TEST_CASE(is_at_work_on_so_many_at_once) {
    House house;
    Service service;
    Client client(house.hub, service);
    Gate gate;
    Handler handler;
    handler.work = [&](postbus_delivery* lent) { gate.wait(), Handler::done(lent); };
    subscribe(client, "q", handler, 3, 0);
    client.serve();
    for (int i = 0; i < 10; ++i) send(client, "q", "x");

    BOOST_TEST(postbus::test::eventually([&] { return client.atWork() == 3; }));
    BOOST_TEST(house.its().status("q")->inFlight == 3u);
    BOOST_TEST(house.ready("q") == 7u);
    gate.open();
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
    BOOST_TEST(handler.taken == 10);
}

BOOST_AUTO_TEST_CASE(tries_again_what_failed_and_sets_it_aside_after_the_last_attempt) {
    House house;
    Service service;
    Client client(house.hub, service);
    Handler handler;
    handler.work = [&](postbus_delivery* lent) {
        settle(lent, POSTBUS_SETTLE_FAIL, "no use", false, nullptr, nullptr);
    };
    subscribe(client, "q", handler);
    client.serve();
    send(client, "q", "x");

    BOOST_TEST(postbus::test::eventually([&] { return house.depth("DLQ.q") == 1; }));
    BOOST_TEST(handler.taken == 3);
}

BOOST_AUTO_TEST_CASE(counts_an_exception_as_a_failed_attempt_and_a_misdeed) {
    House house;
    Service service;
    Client client(house.hub, service);
    Handler handler;
    handler.work = [&](postbus_delivery*) { throw std::runtime_error("out"); };
    subscribe(client, "q", handler);
    client.serve();
    send(client, "q", "x");

    BOOST_TEST(postbus::test::eventually([&] { return house.depth("DLQ.q") == 1; }));
    BOOST_TEST(service.misdeeds == 3);
}

BOOST_AUTO_TEST_CASE(gives_back_what_it_has_not_begun_without_counting_when_it_leaves) {
    House house;
    Service first("first"), second("second");
    Client former(house.hub, first), newcomer(house.hub, second);
    Gate gate;
    Handler slow, quick;
    slow.work = [&](postbus_delivery* lent) { gate.wait(), Handler::done(lent); };
    std::atomic<int> counted{0};
    quick.work = [&](postbus_delivery* lent) {
        if (lent->count != 1) ++counted;
        Handler::done(lent);
    };
    subscribe(former, "q", slow, 2, 5);
    former.serve();
    for (int i = 0; i < 30; ++i) send(former, "q", std::to_string(i));
    BOOST_TEST(postbus::test::eventually([&] { return house.its().status("q")->inFlight == 12; }));
    BOOST_TEST(postbus::test::eventually([&] { return former.atWork() == 2; }));

    subscribe(newcomer, "q", quick, 2, 5);
    newcomer.serve();
    former.leave();

    BOOST_TEST(postbus::test::eventually([&] { return quick.taken == 28; }));
    BOOST_TEST(counted == 0);
    BOOST_TEST(slow.taken == 2);
    BOOST_TEST(slow.closed == 0);
    BOOST_TEST(first.inside == 1);
    BOOST_TEST(!former.idle());
    gate.open();
    BOOST_TEST(postbus::test::eventually([&] { return slow.closed == 1 && first.inside == 0; }));
    BOOST_TEST(former.idle());
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
    BOOST_TEST(house.its().status("q")->acknowledged == 30u);
}

BOOST_AUTO_TEST_CASE(gives_up_one_that_hangs_and_does_not_hear_what_it_says_later) {
    House house;
    Service hangs("hangs"), next("next");
    Client former(house.hub, hangs), newcomer(house.hub, next);
    Gate gate;
    Handler stuck, good;
    stuck.work = [&](postbus_delivery* lent) { gate.wait(), Handler::done(lent); };
    subscribe(former, "q", stuck);
    former.serve();
    send(former, "q", "x");
    BOOST_TEST(postbus::test::eventually([&] { return former.atWork() == 1; }));
    former.leave();

    former.giveUp();

    subscribe(newcomer, "q", good);
    newcomer.serve();
    BOOST_TEST(postbus::test::eventually([&] { return good.taken == 1; }));
    gate.open();
    BOOST_TEST(postbus::test::eventually([&] { return stuck.closed == 1; }));
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
    BOOST_TEST(house.its().status("q")->acknowledged == 1u);
}

BOOST_AUTO_TEST_CASE(may_be_ended_by_its_own_handler) {
    House house;
    Service service;
    Client client(house.hub, service);
    Handler handler;
    std::atomic<Subscription*> itself{nullptr};
    handler.work = [&](postbus_delivery* lent) {
        while (!itself) std::this_thread::yield();
        itself.load()->close();
        Handler::done(lent);
    };
    client.serve();
    for (int i = 0; i < 3; ++i) send(client, "q", "x");
    itself = subscribe(client, "q", handler);

    BOOST_TEST(postbus::test::eventually([&] { return handler.closed == 1; }));
    BOOST_TEST(handler.taken == 1);
    BOOST_TEST(postbus::test::eventually([&] { return house.ready("q") == 2 && service.inside == 0; }));
}

BOOST_AUTO_TEST_CASE(goes_on_with_the_next_engine_and_waits_for_nobody) {
    House house;
    Service service;
    Client client(house.hub, service);
    Gate gate;
    Handler handler;
    handler.work = [&](postbus_delivery* lent) { gate.wait(), Handler::done(lent); };
    subscribe(client, "q", handler);
    client.serve();
    for (int i = 0; i < 3; ++i) send(client, "q", std::to_string(i));
    BOOST_TEST(postbus::test::eventually([&] { return client.atWork() == 1; }));

    // As at a reopening: nobody holds the old engine any more.
    house.hub.apply(nullptr);
    const std::weak_ptr<queues::Engine> old = house.engine;
    house.close();
    BOOST_TEST(old.expired());
    BOOST_TEST(house.depth("q") == 3u);
    gate.open();

    // What was at work is worked on again: that it was done could not be stored.
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
    BOOST_TEST(handler.taken == 4);
}

BOOST_AUTO_TEST_CASE(waits_for_a_worker_when_all_are_busy) {
    House house;
    Service service;
    Client client(house.hub, service);
    Gate gate;
    std::atomic<int> busy{0};
    while (house.bus.workers().submit([&] { ++busy, gate.wait(); })) {
    }
    Handler handler;
    subscribe(client, "q", handler, 2);
    client.serve();
    for (int i = 0; i < 5; ++i) send(client, "q", "x");
    BOOST_TEST(postbus::test::eventually([&] { return house.its().status("q")->inFlight == 5; }));
    std::this_thread::sleep_for(milliseconds(60));
    BOOST_TEST(handler.taken == 0);

    gate.open();

    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
    BOOST_TEST(handler.taken == 5);
}

BOOST_AUTO_TEST_CASE(refuses_what_can_not_be) {
    House house;
    Service service;
    Client client(house.hub, service);
    Handler handler;
    BOOST_TEST(!subscribe(client, "q", handler, 0));
    BOOST_TEST(!subscribe(client, "q", handler, 257));
    BOOST_TEST(!subscribe(client, "q", handler, 1, 10'001));
    BOOST_TEST(!subscribe(client, "q", handler, 1, 1, "a ="));
    BOOST_TEST(!subscribe(client, "q", handler, 1, 1, "", POSTBUS_DESTINATION_QUEUE, "named"));
    BOOST_TEST(!subscribe(client, "", handler));
    BOOST_TEST(handler.closed == 0);
}

BOOST_AUTO_TEST_CASE(shares_a_topic_within_a_service_and_by_name) {
    House house;
    Service one("one"), two("two");
    Client first(house.hub, one), second(house.hub, two);
    Handler a, b, other, selected, books, sameBooks;
    constexpr std::uint32_t topic = POSTBUS_DESTINATION_TOPIC;
    BOOST_REQUIRE(subscribe(first, "t", a, 2, 1, "", topic));
    BOOST_REQUIRE(subscribe(first, "t", b, 1, 1, "", topic));
    BOOST_REQUIRE(subscribe(first, "t", selected, 1, 1, "JMSPriority = 9", topic));
    BOOST_REQUIRE(subscribe(first, "other", other, 1, 1, "", topic));
    BOOST_REQUIRE(subscribe(first, "t", books, 1, 1, "", topic, "books"));
    BOOST_REQUIRE(subscribe(second, "t", sameBooks, 1, 1, "", topic, "books"));
    first.serve();
    second.serve();
    BOOST_REQUIRE(house.open());

    for (int i = 0; i < 20; ++i) BOOST_TEST(int(send(first, "t", message("x"), topic)) == POSTBUS_QUEUE_DONE);

    BOOST_TEST(
        postbus::test::eventually([&] { return a.taken + b.taken == 20 && books.taken + sameBooks.taken == 20; }));
    std::this_thread::sleep_for(milliseconds(50));
    BOOST_TEST(a.taken + b.taken == 20);
    BOOST_TEST(books.taken + sameBooks.taken == 20);
    BOOST_TEST(other.taken == 0);
    BOOST_TEST(selected.taken == 0);

    // The durable one gathers while nobody listens.
    first.leave();
    second.leave();
    BOOST_TEST(postbus::test::eventually([&] { return first.idle() && second.idle(); }));
    BOOST_TEST(int(send(first, "t", message("kept"), topic)) == POSTBUS_QUEUE_DONE);
    Service three("three");
    Client third(house.hub, three);
    Handler heir;
    subscribe(third, "t", heir, 1, 1, "", topic, "books");
    third.serve();
    BOOST_TEST(postbus::test::eventually([&] { return heir.taken == 1; }));
    BOOST_TEST(heir.all().front() == "kept");
}

BOOST_AUTO_TEST_CASE(loses_nothing_and_does_nothing_twice_while_services_come_and_go) {
    constexpr int count = 400;
    House house;
    std::mutex mutex;
    std::multiset<std::string> done;
    std::atomic<int> retried{0}, refused{0};
    const auto work = [&](postbus_delivery* lent) {
        {
            const std::lock_guard lock(mutex);
            done.insert(text(lent->message->body));
        }
        if (lent->count != 1) ++retried;
        Handler::done(lent);
    };
    Service sender("sender");
    Client sends(house.hub, sender);
    std::atomic<bool> producing{true};
    std::thread producer([&] {
        for (int i = 0; i < count; ++i)
            if (send(sends, i % 2 ? "a" : "b", std::to_string(i)) != 0) ++refused;
        producing = false;
    });

    std::vector<std::unique_ptr<Service>> services;
    std::vector<std::unique_ptr<Handler>> handlers;
    std::unique_ptr<Client> former;
    for (int i = 0; i < 30 || producing; ++i) {
        services.push_back(std::make_unique<Service>(std::to_string(i)));
        auto newcomer = std::make_unique<Client>(house.hub, *services.back());
        for (const char* queue : {"a", "b"}) {
            handlers.push_back(std::make_unique<Handler>());
            handlers.back()->work = work;
            subscribe(*newcomer, queue, *handlers.back(), 2, 5);
        }
        newcomer->serve();
        if (former) {
            former->leave();
            BOOST_TEST(postbus::test::eventually([&] { return services[services.size() - 2]->inside == 0; }));
        }
        former = std::move(newcomer);
        std::this_thread::sleep_for(milliseconds(5));
    }
    producer.join();
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("a") + house.depth("b") == 0; }));
    former->leave();
    BOOST_TEST(postbus::test::eventually([&] { return services.back()->inside == 0; }));

    BOOST_TEST(refused == 0);
    BOOST_TEST(retried == 0);
    BOOST_TEST(done.size() == std::size_t{count});
    for (int i = 0; i < count; ++i) BOOST_TEST(done.count(std::to_string(i)) == 1u);
    for (std::size_t i = 0; i + 2 < handlers.size(); ++i) BOOST_TEST(handlers[i]->closed == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace postbus::messaging::test
