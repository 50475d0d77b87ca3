#include <boost/test/unit_test.hpp>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

BOOST_FIXTURE_TEST_SUITE(exchange, BusFixture)

BOOST_AUTO_TEST_CASE(is_answered_on_the_loop_that_began_it) {
    Caller caller;

    ask(caller, "now");

    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(caller.body == "done");
    BOOST_TEST(!caller.requestId.empty());
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(answers_itself_with_a_receiver_fault_when_dropped) {
    Caller caller;
    endpoint->onProcess = [](ExchangePtr exchange) { exchange.reset(); };

    ask(caller, "now");

    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(caller.status == 500);
    BOOST_TEST(caller.body == "fault: the service gave no answer");
    BOOST_TEST(pool.counters().dropped == 1u);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(comes_back_to_its_loop_when_answered_on_another_thread) {
    Caller caller;
    std::thread::id answering;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        answering = std::this_thread::get_id();
        exchange->draft().bytes.append("later");
        Exchange::reply(std::move(exchange));
    };

    ask(caller, "pooled");
    BOOST_TEST(caller.answers == 0);
    loop.turn();

    BOOST_TEST(caller.body == "later");
    BOOST_TEST((answering != std::this_thread::get_id()));
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(that_expires_is_answered_once_and_its_late_answer_counted) {
    Caller caller;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };

    ExchangeRef ref = ask(caller, "now", milliseconds(50));
    BOOST_TEST((ref.deadline() > Clock::now()));
    ref.expire(Error(Error::Kind::Timeout, "too late"));
    ref.expire(Error(Error::Kind::Timeout, "too late again"));

    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(caller.body == "fault: too late");
    BOOST_TEST(!ref.open());
    BOOST_TEST(pool.counters().open == 1);

    held->draft().bytes.append("in vain");
    Exchange::reply(std::move(held));
    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(pool.counters().late == 1u);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(that_is_abandoned_sends_nothing) {
    Caller caller;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };

    ask(caller, "now").abandon();
    Exchange::reply(std::move(held));

    BOOST_TEST(caller.answers == 0);
    BOOST_TEST(pool.counters().abandoned == 1u);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(reference_of_an_ended_exchange_does_not_touch_the_next_one_in_its_memory) {
    Caller first, second;
    ExchangeRef old = ask(first, "now");
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };
    ask(second, "now");

    old.expire(Error(Error::Kind::Timeout, "not yours"));

    BOOST_TEST(second.answers == 0);
    Exchange::reply(std::move(held));
    BOOST_TEST(second.answers == 1);
}

BOOST_AUTO_TEST_CASE(lent_to_a_plugin_comes_back_once) {
    Caller caller;
    postbus_call* lent = nullptr;
    endpoint->onProcess = [&](ExchangePtr exchange) { lent = Exchange::lend(std::move(exchange)); };
    ask(caller, "now");

    BOOST_TEST((std::string_view(lent->id.data, lent->id.size) == Exchange::of(lent).id()));
    ExchangePtr back = Exchange::reclaim(lent);
    BOOST_TEST(static_cast<bool>(back));
    BOOST_TEST(!Exchange::reclaim(lent));

    Exchange::reply(std::move(back));
    BOOST_TEST(caller.answers == 1);
}

/// Who has begun an exchange may ask whether it has ended, even where its memory was more than the pool keeps.
BOOST_AUTO_TEST_CASE(that_has_ended_can_be_asked_for_however_many_there_were) {
    constexpr int many = 300;
    std::vector<std::unique_ptr<Caller>> callers;
    std::vector<ExchangePtr> held;
    std::vector<ExchangeRef> refs;
    endpoint->onProcess = [&](ExchangePtr exchange) { held.push_back(std::move(exchange)); };
    for (int i = 0; i < many; ++i) refs.push_back(ask(*callers.emplace_back(std::make_unique<Caller>()), "now"));

    for (ExchangePtr& each : held) Exchange::reply(std::move(each));

    for (ExchangeRef& each : refs) {
        BOOST_TEST(!each.open());
        each.abandon();
    }
    BOOST_TEST(pool.counters().abandoned == 0u);
    BOOST_TEST(pool.counters().open == 0);
    loop.turn();  // and what is too much of it goes
}

BOOST_AUTO_TEST_CASE(keeps_the_route_table_and_the_endpoint_it_began_with) {
    Caller caller;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };
    std::weak_ptr<ScriptedEndpoint> watched = endpoint;
    ask(caller, "now");

    bus.publish(std::make_shared<RouteTable>());
    endpoint.reset();
    BOOST_TEST(!watched.expired());

    Exchange::reply(std::move(held));
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(is_listed_while_it_is_open_oldest_first) {
    Caller caller;
    std::vector<ExchangePtr> held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held.push_back(std::move(exchange)); };
    ask(caller, "now");
    ask(caller, "now");

    std::vector<std::string> ids;
    pool.forEachOpen([&](const Exchange& each) { ids.emplace_back(each.id()); });
    BOOST_REQUIRE(ids.size() == 2u);
    BOOST_TEST(ids[0] == held[0]->id());
    BOOST_TEST(ids[1] == held[1]->id());

    held.clear();
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_SUITE_END()
