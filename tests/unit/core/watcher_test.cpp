#include <boost/test/unit_test.hpp>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

namespace {

/// Keeps the exchange, counts what it is told, and ends it then.
struct Waiting final : Watcher {
    void onCancelled() override {
        ++told;
        if (endsWithin) Exchange::fail(std::move(exchange), Error::internal("cancelled"));
    }
    ExchangePtr exchange;
    bool endsWithin = true;
    int told = 0;
};

struct WatchedFixture : BusFixture {
    WatchedFixture() {
        endpoint->onProcess = [this](ExchangePtr exchange) {
            Exchange& watched = *exchange;
            waiting->exchange = std::move(exchange);
            watched.watch(waiting);
        };
    }
    std::shared_ptr<Waiting> waiting = std::make_shared<Waiting>();
    Caller caller;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(watcher, WatchedFixture)

BOOST_AUTO_TEST_CASE(is_told_of_the_deadline_behind_the_answer_to_the_caller) {
    ExchangeRef ref = ask(caller, "now");

    ref.expire(Error(Error::Kind::Timeout, "too late"));

    BOOST_TEST(caller.status == 504);
    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(waiting->told == 1);
    BOOST_TEST(bus.figures().open == 0);
}

BOOST_AUTO_TEST_CASE(is_told_of_a_caller_that_is_gone) {
    ask(caller, "now").abandon();

    BOOST_TEST(caller.answers == 0);
    BOOST_TEST(waiting->told == 1);
    BOOST_TEST(bus.figures().open == 0);
}

BOOST_AUTO_TEST_CASE(is_told_nothing_of_an_exchange_that_has_ended) {
    ExchangeRef ref = ask(caller, "now");
    Exchange::reply(std::move(waiting->exchange));

    ref.expire(Error(Error::Kind::Timeout, "too late"));

    BOOST_TEST(waiting->told == 0);
    BOOST_TEST(waiting.use_count() == 1);  // the exchange has let go of it
}

BOOST_AUTO_TEST_CASE(one_that_comes_late_is_told_at_once) {
    std::shared_ptr<Waiting> later = waiting;
    endpoint->onProcess = [&](ExchangePtr exchange) { later->exchange = std::move(exchange); };
    ask(caller, "now").abandon();

    later->exchange->watch(later);

    BOOST_TEST(later->told == 1);
    BOOST_TEST(bus.figures().open == 0);
}

BOOST_AUTO_TEST_SUITE_END()
