#include <postbus/plugin.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using postbus::Delivery;
using postbus::Fault;
using postbus::Outcome;
using postbus::Queue;
using postbus::QueueError;
using postbus::Received;
using postbus::Sent;
using postbus::Task;

std::string text(postbus_str given) { return {given.data ? given.data : "", given.size}; }
postbus_str lend(std::string_view given) { return {given.data(), given.size()}; }

/// The bus's side, by a script: writes down what is wanted, and says what it is told to.
struct Bus {
    struct Later {
        postbus_queue_then then;
        void* context;
    };

    Bus() { current = this; }
    ~Bus() { current = nullptr; }

    Queue queue(std::string_view name = "q") const { return {&host, nullptr, name}; }
    postbus_delivery* message(std::string_view body) {
        its.size = sizeof its;
        its.body = lend(body);
        delivery.size = sizeof delivery;
        delivery.message = &its;
        delivery.count = 2;
        return &delivery;
    }
    /// What waits is told this.
    void tell(std::uint32_t toldKind, std::string_view why = {}, postbus_delivery* toldMessage = nullptr) {
        const auto all = std::exchange(later, {});
        for (const Later& each : all) tellOne(each.then, each.context, toldKind, why, toldMessage);
    }
    /// Hands a message to the one subscription.
    std::string take(std::string_view body) {
        settled.clear();
        taker(subscriber, message(body));
        return settled;
    }

    static void tellOne(postbus_queue_then then, void* context, std::uint32_t kind, std::string_view reason,
                        postbus_delivery* come) {
        postbus_queue_result result{sizeof(postbus_queue_result), kind, lend(reason), come};
        then(context, &result);
    }
    static void send(postbus_service_context*, const postbus_destination* to, const postbus_message* given, int wait,
                     postbus_queue_then then, void* context) {
        Bus& bus = *current;
        bus.sent = text(to->name) + (to->kind == POSTBUS_DESTINATION_TOPIC ? " topic " : " ") + text(given->body) +
                   ' ' + text(given->content_type) + ' ' + std::to_string(given->priority) + ' ' +
                   std::to_string(given->time_to_live) + ' ' + std::to_string(given->delay);
        for (std::uint32_t i = 0; i < given->property_count; ++i)
            bus.sent += ' ' + text(given->properties[i].name) + '=' + std::to_string(given->properties[i].kind);
        bus.answer(wait, then, context);
    }
    static void receive(postbus_service_context*, const postbus_call*, const postbus_destination*,
                        const postbus_consumer* how, int64_t time, int wait, postbus_queue_then then, void* context) {
        current->wanted = text(how->selector) + ' ' + std::to_string(time);
        current->answer(wait, then, context);
    }
    static void settle(postbus_delivery*, std::uint32_t how, postbus_str reason, int wait, postbus_queue_then then,
                       void* context) {
        Bus& bus = *current;
        if (!bus.settled.empty()) bus.settled += ", ";
        bus.settled += std::to_string(how) + text(reason);
        if (then) bus.answer(wait, then, context);
    }
    static postbus_subscription* subscribe(postbus_service_context*, const postbus_destination*,
                                           const postbus_consumer* how, void (*take)(void*, postbus_delivery*),
                                           void (*closed)(void*), void* context) {
        Bus& bus = *current;
        if (bus.refuses) return nullptr;
        bus.wanted = std::to_string(how->concurrency) + ' ' + std::to_string(how->prefetch) + ' ' +
                     text(how->selector) + ' ' + text(how->name);
        bus.taker = take;
        bus.closer = closed;
        bus.subscriber = context;
        return reinterpret_cast<postbus_subscription*>(&bus);
    }
    static void unsubscribe(postbus_subscription*) { current->closer(std::exchange(current->subscriber, nullptr)); }
    static const void* extension(postbus_service_context*, postbus_str id) {
        return current->has && text(id) == POSTBUS_QUEUES ? &table : nullptr;
    }
    void answer(int wait, postbus_queue_then then, void* context) {
        if (wait || atOnce)
            tellOne(then, context, kind, reason, come);
        else
            later.push_back({then, context});
    }

    static inline Bus* current = nullptr;
    static inline const postbus_queues table{sizeof(postbus_queues), send, receive, settle, subscribe, unsubscribe};
    postbus_host host = [] {
        postbus_host made{};
        made.size = sizeof made;
        made.extension = extension;
        return made;
    }();
    postbus_message its{};
    postbus_delivery delivery{};
    bool has = true, refuses = false, atOnce = false;
    std::uint32_t kind = POSTBUS_QUEUE_DONE;
    std::string_view reason;
    postbus_delivery* come = nullptr;
    std::string sent, wanted, settled;
    std::vector<Later> later;
    void (*taker)(void*, postbus_delivery*) = nullptr;
    void (*closer)(void*) = nullptr;
    void* subscriber = nullptr;
};

/// Runs a coroutine, and sees what becomes of it.
struct Runner final : postbus::sdk::Chain {
    explicit Runner(Task<std::string> coroutine) : task(std::move(coroutine)) { task->start(*this); }
    void finish() noexcept override {
        result = task->result();
        task.reset();
    }
    void abandon() noexcept override {
        task.reset();
        abandoned = true;
    }
    std::optional<Task<std::string>> task;
    std::string result;
    bool abandoned = false;
};

Task<std::string> sendTwo(const Queue& queue) {
    auto first = queue.sendAsync("1");
    auto second = queue.sendAsync("2");
    const Sent one = co_await first;
    const Sent two = co_await second;
    co_return one&& two ? "both" : "not both";
}

Task<std::string> receiveOne(const Queue& queue) {
    auto receiving = queue.receiveAsync(1s);
    Received received = co_await receiving;
    if (!received) co_return received.error().reason;
    if (!*received) co_return "nothing";
    std::string body(received->body());
    received->acknowledge();
    co_return body;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sdk_queues)

BOOST_AUTO_TEST_CASE(sends_what_it_is_told_and_says_what_came_of_it) {
    Bus bus;

    const Sent good = bus.queue().send(
        "body", {.contentType = "text/plain",
                 .priority = 9,
                 .timeToLive = 2s,
                 .delay = 5ms,
                 .properties = {{"flag", true}, {"count", std::int64_t{3}}, {"share", 0.5}, {"word", "x"}}});
    BOOST_TEST(bool(good));
    BOOST_TEST(bus.sent == "q body text/plain 9 2000 5 flag=1 count=2 share=3 word=4");

    bus.kind = POSTBUS_QUEUE_TOO_LARGE;
    bus.reason = "far too large";
    const Sent bad = bus.queue().send("body");
    BOOST_REQUIRE(!bad);
    BOOST_TEST((bad.error().kind == QueueError::Kind::TooLarge));
    BOOST_TEST(bad.fault().reason == "far too large");
    BOOST_TEST((bad.fault().code == Fault::Code::Receiver));

    BOOST_TEST(!postbus::Topic(&bus.host, nullptr, "t").send("x"));
    BOOST_TEST(bus.sent == "t topic x  4 0 0");
}

BOOST_AUTO_TEST_CASE(says_that_a_bus_has_no_queues) {
    Bus bus;
    bus.has = false;
    int told = 0;
    const Sent sent = bus.queue().send("x");
    BOOST_REQUIRE(!sent);
    BOOST_TEST((sent.error().kind == QueueError::Kind::Unavailable));
    bus.queue().send("x", {}, [&](const Sent& later) { told += later ? 10 : 1; });
    BOOST_TEST(told == 1);
    BOOST_TEST(!bus.queue().receive(1s));
    BOOST_TEST(Runner(receiveOne(bus.queue())).result == "this bus has no queues");
    BOOST_CHECK_THROW(bus.queue().subscribe([](const Delivery&) {}), Fault);
}

BOOST_AUTO_TEST_CASE(tells_a_function_later_once_and_lets_go_of_it) {
    Bus bus;
    const auto held = std::make_shared<int>(0);
    bus.queue().send("x", {}, [held](const Sent& sent) { *held += sent ? 1 : 100; });
    BOOST_TEST(held.use_count() == 2);
    bus.tell(POSTBUS_QUEUE_DONE);
    BOOST_TEST(*held == 1);
    BOOST_TEST(held.use_count() == 1);
    bus.queue().send("x", {}, [held](const Sent&) { throw std::runtime_error("out"); });
    bus.tell(POSTBUS_QUEUE_DONE);
    BOOST_TEST(held.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(receives_a_message_nothing_or_an_error) {
    Bus bus;
    bus.come = bus.message("body");
    {
        Received received = bus.queue().receive(2s, "a = 1");
        BOOST_REQUIRE(received);
        BOOST_REQUIRE(*received);
        BOOST_TEST(bus.wanted == "a = 1 2000000000");
        BOOST_TEST(received->body() == "body");
        BOOST_TEST(received->attempt() == 2u);
        received->acknowledge();
        BOOST_TEST(!*received);
        received->acknowledge();
        received->reject("no");
    }
    BOOST_TEST(bus.settled == "1");

    bus.come = nullptr;
    bus.kind = POSTBUS_QUEUE_NOTHING;
    Received nothing = bus.queue().receive(0s);
    BOOST_TEST(bool(nothing));
    BOOST_TEST(!*nothing);
    bus.kind = POSTBUS_QUEUE_CLOSED;
    Received closed = bus.queue().receive(0s);
    BOOST_REQUIRE(!closed);
    BOOST_TEST((closed.error().kind == QueueError::Kind::Closed));
}

BOOST_AUTO_TEST_CASE(settles_as_it_is_told_and_rejects_what_is_dropped) {
    Bus bus;
    const auto settled = [&](auto settle) {
        bus.settled.clear();
        {
            Delivery delivery(&Bus::table, bus.message("x"));
            settle(delivery);
        }
        return bus.settled;
    };
    BOOST_TEST(settled([](Delivery& its) { its.release(); }) == "2");
    BOOST_TEST(settled([](Delivery& its) { its.reject("no"); }) == "3no");
    BOOST_TEST(settled([](Delivery& its) { its.setAside("never"); }) == "4never");
    BOOST_TEST(settled([](Delivery&) {}) == "3the service dropped the message");
    BOOST_TEST(settled([](Delivery& its) { Delivery(std::move(its)).acknowledge(); }) == "1");
    BOOST_TEST(settled([](Delivery& its) { its = Delivery(); }) == "3the service dropped the message");
    bus.kind = POSTBUS_QUEUE_NOT_FOUND;
    BOOST_TEST(settled([](Delivery& its) { BOOST_TEST(!its.acknowledgeNow()); }) == "1");
}

BOOST_AUTO_TEST_CASE(coroutines_wait_for_what_comes_now_or_later) {
    Bus bus;
    Runner later(sendTwo(bus.queue()));
    BOOST_TEST(later.result == "");
    BOOST_TEST(bus.later.size() == 2u);
    bus.tell(POSTBUS_QUEUE_DONE);
    BOOST_TEST(later.result == "both");

    bus.atOnce = true;
    BOOST_TEST(Runner(sendTwo(bus.queue())).result == "both");
    bus.come = bus.message("body");
    BOOST_TEST(Runner(receiveOne(bus.queue())).result == "body");
    BOOST_TEST(bus.settled == "1");
}

BOOST_AUTO_TEST_CASE(a_coroutine_whose_call_is_cancelled_ends_where_it_waits) {
    Bus bus;
    Runner runner(receiveOne(bus.queue()));
    bus.tell(POSTBUS_QUEUE_CANCELLED, "nobody waits");
    BOOST_TEST(runner.abandoned);
    BOOST_TEST(runner.result == "");
}

BOOST_AUTO_TEST_CASE(what_is_received_for_nobody_is_rejected) {
    Bus bus;
    { auto forgotten = bus.queue().receiveAsync(1s); }
    bus.tell(POSTBUS_QUEUE_DONE, {}, bus.message("x"));
    BOOST_TEST(bus.settled == "3the service dropped the message");
}

BOOST_AUTO_TEST_CASE(handlers_acknowledge_by_returning_and_fail_by_throwing) {
    Bus bus;
    const auto by = [&](auto handler) {
        auto subscription = bus.queue().subscribe(handler);
        const std::string settled = bus.take("x");
        subscription.close();
        return settled;
    };
    BOOST_TEST(by([](const Delivery&) {}) == "1");
    BOOST_TEST(by([](Delivery& its) { its.reject("no"); }) == "3no");
    BOOST_TEST(by([](const Delivery&) { throw std::runtime_error("broken"); }) == "3broken");
    BOOST_TEST(by([](const Delivery&) { throw 1; }) == "3the service threw something that is no std::exception");
    BOOST_TEST(by([](const Delivery&) { throw Fault::receiver("later"); }) == "3later");
    BOOST_TEST(by([](const Delivery&) { throw Fault::sender("never"); }) == "4never");
    BOOST_TEST(by([](const Delivery&) -> Outcome<void> { return {}; }) == "1");
    BOOST_TEST(by([](const Delivery&) -> Outcome<void> { return Fault::sender("never"); }) == "4never");
    BOOST_TEST(by([](Delivery its) { its.release(); }) == "2");
    BOOST_TEST(by([](Delivery) {}) == "3the service dropped the message");
    BOOST_TEST(by([](Delivery) { throw std::runtime_error("broken"); }) == "3the service dropped the message");
    BOOST_TEST(by([](const Delivery&) -> Task<> { co_return; }) == "1");
    BOOST_TEST(by([](const Delivery&) -> Task<Outcome<void>> { co_return Fault::receiver("later"); }) == "3later");
    BOOST_TEST(by([](const Delivery&) -> Task<> {
                   throw std::runtime_error("broken");
                   co_return;
               }) == "3broken");
}

BOOST_AUTO_TEST_CASE(a_coroutine_settles_its_message_at_its_end) {
    Bus bus;
    const auto work = [&](const Delivery&) -> Task<> {
        auto sending = bus.queue("out").sendAsync("y");
        const Sent sent = co_await sending;
        if (!sent) throw sent.fault();
    };
    auto subscription = bus.queue().subscribe(work, {.concurrency = 3, .prefetch = 7, .selector = "a = 1"});
    BOOST_TEST(bus.wanted == "3 7 a = 1 ");

    BOOST_TEST(bus.take("x") == "");
    bus.tell(POSTBUS_QUEUE_DONE);
    BOOST_TEST(bus.settled == "1");
    BOOST_TEST(bus.take("x") == "");
    bus.tell(POSTBUS_QUEUE_UNAVAILABLE, "full");
    BOOST_TEST(bus.settled == "3full");
    subscription.close();
    subscription.close();
}

BOOST_AUTO_TEST_CASE(a_subscription_that_is_refused_throws_and_keeps_nothing) {
    Bus bus;
    bus.refuses = true;
    const auto held = std::make_shared<int>(0);
    BOOST_CHECK_THROW(bus.queue().subscribe([held](const Delivery&) {}), Fault);
    BOOST_TEST(held.use_count() == 1);

    bus.refuses = false;
    auto subscription = postbus::Topic(&bus.host, nullptr, "t").subscribe([held](const Delivery&) {}, {.name = "mine"});
    BOOST_TEST(bus.wanted == "1 10  mine");
    subscription.close();
    BOOST_TEST(held.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
