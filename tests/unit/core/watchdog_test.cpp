#include "core/watchdog/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/log_capture.hpp"
#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;
using postbus::test::LogCapture;

namespace {

struct WatchFixture : BusFixture {
    WatchFixture() { bus.join(pool); }
    ~WatchFixture() { bus.leave(pool); }

    LogCapture log;
    Watchdog watchdog{bus};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(watchdog, WatchFixture)

BOOST_AUTO_TEST_CASE(names_a_handler_while_it_blocks_the_loop_and_again_at_its_end) {
    watchdog.watch(milliseconds(20));
    std::string id;
    bool told = false;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        id = exchange->id();
        Exchange::reply(std::move(exchange));  // what it is told by must outlast its exchange
        told = log.comes("loop.blocked");
    };
    Caller caller;

    ask(caller, "now");

    BOOST_TEST(told);
    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(log.count("loop.blocked") == 1u);
    BOOST_TEST(log.count("loop.freed") == 1u);
    BOOST_TEST(log.count("endpoint=It operation=now request=" + id) == 2u);
}

BOOST_AUTO_TEST_CASE(tells_each_blocking_call_once_however_long_it_takes) {
    watchdog.watch(milliseconds(10));
    endpoint->onProcess = [&](ExchangePtr exchange) {
        (void)log.comes("loop.blocked");
        std::this_thread::sleep_for(milliseconds(60));  // some more looks
        Exchange::reply(std::move(exchange));
    };
    Caller caller;
    ask(caller, "now");
    BOOST_TEST(log.count("loop.blocked") == 1u);

    std::size_t seen = 0;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        for (const TimePoint until = Clock::now() + std::chrono::seconds(20); seen < 2 && Clock::now() < until;)
            seen = log.count("loop.blocked");
        Exchange::reply(std::move(exchange));
    };
    ask(caller, "now");
    BOOST_TEST(seen == 2u);
    BOOST_TEST(log.count("loop.freed") == 2u);
}

BOOST_AUTO_TEST_CASE(a_call_within_a_call_is_named_beside_the_one_that_made_it) {
    watchdog.watch(milliseconds(20));
    Caller outer, inner;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        if (exchange->request().body == "now") {
            ask(inner, "only");
        } else {
            (void)log.comes("loop.blocked");
        }
        Exchange::reply(std::move(exchange));
    };

    ask(outer, "now");

    BOOST_TEST(log.count("operation=now") == 2u);
    BOOST_TEST(log.count("inside=It inside-operation=only") == 1u);
    BOOST_TEST(log.count("loop.freed") == 1u);
}

BOOST_AUTO_TEST_CASE(many_quick_calls_within_one_do_not_hide_it) {
    watchdog.watch(milliseconds(20));
    Caller outer, inner;
    bool told = false;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        if (exchange->request().body == "now") {
            const TimePoint until = Clock::now() + std::chrono::seconds(20);
            while (!told && Clock::now() < until) {
                ask(inner, "only");
                told = log.count("loop.blocked") != 0;
            }
        }
        Exchange::reply(std::move(exchange));
    };

    ask(outer, "now");

    BOOST_TEST(told);
    BOOST_TEST(log.count("loop.blocked") == 1u);
}

BOOST_AUTO_TEST_CASE(says_nothing_of_quick_handlers_and_of_those_on_workers) {
    watchdog.watch(milliseconds(200));
    Caller caller;
    for (int i = 0; i < 2'000; ++i) ask(caller, "now");
    BOOST_TEST(caller.answers == 2'000);

    watchdog.watch(milliseconds(5));
    endpoint->onProcess = [&](ExchangePtr exchange) {
        std::this_thread::sleep_for(milliseconds(50));
        Exchange::reply(std::move(exchange));
    };
    ask(caller, "pooled");
    while (caller.answers == 2'000) loop.turn();

    BOOST_TEST(log.count("loop.blocked") == 0u);
    BOOST_TEST(log.count("loop.freed") == 0u);
}

BOOST_AUTO_TEST_CASE(measures_how_late_a_loop_is_and_tells_of_one_that_is_very_late) {
    watchdog.watch(milliseconds(20));
    BOOST_TEST(log.comes("loop.late"));  // its thread, this one, is not at work

    while (watchdog.lags().empty() || watchdog.lags().front().longest.count() == 0) loop.turn();

    BOOST_TEST(watchdog.lags().size() == 1u);
    BOOST_TEST(watchdog.lags().front().longest.count() >= 20'000);
    BOOST_TEST(log.count("loop.late") == 1u);
}

BOOST_AUTO_TEST_CASE(rests_when_it_is_told_to) {
    watchdog.watch(milliseconds(5));
    watchdog.watch(milliseconds(0));
    endpoint->onProcess = [&](ExchangePtr exchange) {
        std::this_thread::sleep_for(milliseconds(100));
        Exchange::reply(std::move(exchange));
    };
    Caller caller;

    ask(caller, "now");

    BOOST_TEST(log.count("loop.blocked") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
