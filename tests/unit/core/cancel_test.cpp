#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <random>
#include <thread>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

namespace {

/// A watch as a plugin keeps one.
struct Watch {
    postbus_watch watch{};
    std::function<void()> then;
    std::atomic<int> told{0};

    explicit Watch(std::function<void()> function = [] {}) : then(std::move(function)) {
        watch.size = sizeof watch;
        watch.cancelled = [](postbus_watch* which) {
            Watch& self = *reinterpret_cast<Watch*>(which);
            ++self.told;
            self.then();
        };
    }
    ~Watch() { WatchList::remove(watch); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
};

struct Told : Dependent {
    int times = 0;
    void onCancel() override { ++times; }
};

struct CancelFixture : BusFixture {
    CancelFixture() {
        endpoint->onProcess = [this](ExchangePtr exchange) { held = std::move(exchange); };
    }
    ~CancelFixture() {
        held.reset();
        while (pool.counters().open) loop.turn();
    }
    Caller caller;
    ExchangePtr held;
};

Error late() { return {Error::Kind::Timeout, "late"}; }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cancelling, CancelFixture)

BOOST_AUTO_TEST_CASE(tells_every_watch_once_and_not_from_within) {
    ExchangeRef ref = ask(caller, "now");
    Watch first, second, gone;
    for (Watch* each : {&first, &second, &gone}) BOOST_TEST(held->watches().add(each->watch));
    WatchList::remove(gone.watch);

    ref.expire(late());
    BOOST_TEST(first.told == 0);
    loop.turn();

    BOOST_TEST(first.told == 1);
    BOOST_TEST(second.told == 1);
    BOOST_TEST(gone.told == 0);
    BOOST_TEST(held->cancelled());
    BOOST_TEST(!held->watches().add(gone.watch));
}

BOOST_AUTO_TEST_CASE(a_completed_exchange_tells_nobody) {
    ExchangeRef ref = ask(caller, "now");
    Watch watch;
    Told dependent;
    {
        const ExchangeTie tie(*held);
        BOOST_TEST(tie.join(dependent));
    }
    (void)held->watches().add(watch.watch);

    ref.abandon();
    Exchange::reply(std::move(held));
    while (pool.counters().open) loop.turn();

    BOOST_TEST(watch.told == 0);
    BOOST_TEST(dependent.times == 0);
}

BOOST_AUTO_TEST_CASE(a_watch_may_complete_the_call_or_end_others_as_it_is_told) {
    ExchangeRef ref = ask(caller, "now");
    std::unique_ptr<Watch> other = std::make_unique<Watch>();
    Watch completing([&] {
        other.reset();
        Exchange::reply(std::move(held));
    });
    (void)held->watches().add(other->watch);
    (void)held->watches().add(completing.watch);

    ref.abandon();
    while (pool.counters().open) loop.turn();

    BOOST_TEST(completing.told == 1);
    BOOST_TEST(pool.counters().late == 1u);
}

BOOST_AUTO_TEST_CASE(a_tie_keeps_the_memory_of_an_exchange_that_has_ended) {
    (void)ask(caller, "now");
    ExchangeTie tie(*held);
    Told dependent;

    Exchange::reply(std::move(held));

    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(pool.counters().open == 1);
    BOOST_TEST(!tie.cancelled());
    BOOST_TEST(!tie.join(dependent));
    std::thread([&] { tie.release(); }).join();
    loop.turn();
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(ties_are_made_and_given_back_on_any_thread) {
    (void)ask(caller, "now");
    ExchangeTie here(*held), there;
    std::thread([&] { there = ExchangeTie(*held); }).join();

    Exchange::reply(std::move(held));
    BOOST_TEST(pool.counters().open == 1);
    std::thread([&, moved = std::move(here)]() mutable { moved.release(); }).join();
    loop.turn();
    BOOST_TEST(pool.counters().open == 1);
    there.release();

    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(tells_those_that_depend_on_it) {
    ExchangeRef ref = ask(caller, "now");
    Told stays, left;
    {
        const ExchangeTie tie(*held);
        (void)tie.join(stays);
        Told leaves;
        (void)tie.join(leaves);
        (void)tie.join(left);
    }

    ref.cancel(Error(Error::Kind::Unavailable, "no use for it"));
    loop.turn();

    BOOST_TEST(stays.times == 1);
    BOOST_TEST(left.times == 1);
    BOOST_TEST(caller.body == "fault: no use for it");
    BOOST_TEST(pool.counters().abandoned == 1u);
}

BOOST_AUTO_TEST_CASE(watches_come_and_go_on_one_thread_while_another_cancels) {
    std::mt19937 random(7);
    std::atomic<int> wrong{0};
    for (int round = 0; round < 300; ++round) {
        Caller mine;
        ExchangeRef ref = ask(mine, "now");
        std::atomic<bool> done{false};
        std::thread worker([&, exchange = std::move(held)]() mutable {
            for (int i = 0; i < 20; ++i) {
                Watch watch;
                const bool added = exchange->watches().add(watch.watch);
                WatchList::remove(watch.watch);
                if (watch.told > 1 || (!added && watch.told)) ++wrong;
            }
            Watch last;
            (void)exchange->watches().add(last.watch);
            Exchange::reply(std::move(exchange));  // and nothing is told of it from here on
            done = true;
        });
        // Some time, without giving the processor away: a busy machine would not give it back soon.
        std::atomic<unsigned> spent{0};
        for (const unsigned some = random() % 20'000; spent < some;) ++spent;
        ref.abandon();
        while (pool.counters().open) loop.turn();
        worker.join();
        if (!done) ++wrong;
    }
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
