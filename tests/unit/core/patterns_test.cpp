#include <boost/test/unit_test.hpp>

#include <future>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

namespace {

struct PatternFixture : BusFixture {
    void ends(ExchangePtr exchange) { Exchange::reply(std::move(exchange)); }
    static void fails(ExchangePtr exchange) { Exchange::fail(std::move(exchange), Error::invalid("no")); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(patterns, PatternFixture)

BOOST_AUTO_TEST_CASE(in_only_is_accepted_before_the_endpoint_has_it) {
    Caller caller;
    int answersSeen = -1;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        answersSeen = caller.answers;
        held = std::move(exchange);
    };

    const ExchangeRef ref = ask(caller, "only", milliseconds(50));

    BOOST_TEST(answersSeen == 1);
    BOOST_TEST(caller.status == 202);
    BOOST_TEST(caller.body == "");
    BOOST_TEST(!caller.requestId.empty());
    BOOST_TEST(!ref.open());  // no deadline, no caller that could go
    BOOST_TEST(pool.counters().open == 1);

    Exchange::reply(std::move(held));
    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(pool.counters().open == 0);
    BOOST_TEST(pool.counters().late == 0u);
}

BOOST_AUTO_TEST_CASE(in_only_has_nobody_to_hear_a_fault) {
    Caller failed, dropped;
    endpoint->onProcess = fails;
    ask(failed, "only");
    endpoint->onProcess = [](ExchangePtr exchange) { exchange.reset(); };
    ask(dropped, "only");

    for (const Caller* each : {&failed, &dropped}) {
        BOOST_TEST(each->answers == 1);
        BOOST_TEST(each->status == 202);
    }
    BOOST_TEST(pool.counters().faults == 2u);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(in_only_is_refused_while_it_can_be) {
    Caller unreadable, busy, one, two, three;
    ask(unreadable, "unreadable");
    BOOST_TEST(unreadable.status == 400);

    RouteLimits limits;
    limits.concurrency = 1;
    publish(limits);
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };
    ask(one, "only");
    ask(busy, "only");
    BOOST_TEST(one.status == 202);
    BOOST_TEST(busy.status == 503);
    Exchange::reply(std::move(held));
    endpoint->onProcess = [](ExchangePtr exchange) { Exchange::reply(std::move(exchange)); };
    ask(two, "only");  // the place inside is free again
    BOOST_TEST(two.status == 202);
}

BOOST_AUTO_TEST_CASE(in_only_on_a_worker_is_accepted_when_a_worker_will_have_it) {
    Caller caller;
    std::promise<void> go;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        go.get_future().wait();
        Exchange::reply(std::move(exchange));
    };

    ask(caller, "only-pooled");
    BOOST_TEST(caller.status == 202);
    go.set_value();
    loop.turn();
    BOOST_TEST(pool.counters().open == 0);
    BOOST_TEST(caller.answers == 1);
}

BOOST_AUTO_TEST_CASE(robust_in_only_waits_for_done_or_the_fault) {
    Caller done, withAnswer, failed;
    endpoint->onProcess = [](ExchangePtr exchange) { Exchange::reply(std::move(exchange)); };
    ask(done, "robust");
    endpoint->onProcess = [](ExchangePtr exchange) {
        exchange->draft().bytes.append("nobody asked");
        Exchange::reply(std::move(exchange));
    };
    ask(withAnswer, "robust");
    endpoint->onProcess = fails;
    ask(failed, "robust");

    BOOST_TEST(done.status == 202);
    BOOST_TEST(done.body == "");
    BOOST_TEST(withAnswer.status == 202);
    BOOST_TEST(withAnswer.body == "");
    BOOST_TEST(failed.status == 400);
    BOOST_TEST(failed.body == "fault: no");
}

BOOST_AUTO_TEST_CASE(in_optional_out_may_answer_or_be_done) {
    Caller done, answered, failed;
    endpoint->onProcess = [](ExchangePtr exchange) { Exchange::reply(std::move(exchange)); };
    ask(done, "optional");
    endpoint->onProcess = [](ExchangePtr exchange) {
        exchange->draft().bytes.append("news");
        Exchange::reply(std::move(exchange));
    };
    ask(answered, "optional");
    endpoint->onProcess = fails;
    ask(failed, "optional");

    BOOST_TEST(done.status == 202);
    BOOST_TEST(answered.status == 200);
    BOOST_TEST(answered.body == "news");
    BOOST_TEST(failed.body == "fault: no");
}

BOOST_AUTO_TEST_SUITE_END()
