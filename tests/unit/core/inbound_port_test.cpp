#include <boost/test/unit_test.hpp>

#include <future>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

BOOST_FIXTURE_TEST_SUITE(inbound_port, BusFixture)

BOOST_AUTO_TEST_CASE(refuses_a_path_without_a_route_with_404) {
    const WireRequest made = request("", "POST", "/elsewhere");
    const Admission admission = bus.port().admit(made.head);

    const auto verdict = bus.port().check(admission, made.head);
    BOOST_REQUIRE(!verdict);
    const WireAnswer answer = bus.port().refuse(admission, made.head, verdict.error(), "id-1", Buffer());

    BOOST_TEST(answer.status == 404);
    BOOST_TEST(answer.body.view() == "nothing is served at this path (request id-1)\n");
}

BOOST_AUTO_TEST_CASE(refuses_a_method_that_no_binding_claims_with_405_and_allow) {
    const WireRequest made = request("", "PUT");
    const Admission admission = bus.port().admit(made.head);

    const auto verdict = bus.port().check(admission, made.head);
    BOOST_REQUIRE(!verdict);
    const WireAnswer answer = bus.port().refuse(admission, made.head, verdict.error(), "id-1", Buffer());

    BOOST_TEST(answer.status == 405);
    BOOST_REQUIRE(answer.headers.size() == 1u);
    BOOST_TEST(answer.headers[0].first == "Allow");
    BOOST_TEST(answer.headers[0].second == "POST, OPTIONS");
}

BOOST_AUTO_TEST_CASE(lets_the_binding_spell_a_refusal_of_what_it_claimed) {
    const WireRequest made = request("");
    const Admission admission = bus.port().admit(made.head);

    const WireAnswer answer =
        bus.port().refuse(admission, made.head, Error(Error::Kind::TooLarge, "too much"), "id-1", Buffer());

    BOOST_TEST(answer.status == 413);
    BOOST_TEST(answer.body.view() == "fault: too much");
}

BOOST_AUTO_TEST_CASE(turns_errors_of_reading_and_writing_into_faults) {
    Caller unreadable, unknown, unwritable;
    endpoint->onProcess = [](ExchangePtr exchange) {
        exchange->draft().bytes.append("unwritable");
        Exchange::reply(std::move(exchange));
    };

    ask(unreadable, "unreadable");
    ask(unknown, "other");
    ask(unwritable, "now");

    BOOST_TEST(unreadable.body == "fault: it can't be read");
    BOOST_TEST(unreadable.status == 400);
    BOOST_TEST(unknown.body == "fault: no such operation");
    BOOST_TEST(unwritable.body == "fault: it can't be written");
    BOOST_TEST(unwritable.status == 500);
    BOOST_TEST(pool.counters().faults == 3u);
}

BOOST_AUTO_TEST_CASE(answers_busy_beyond_the_endpoints_concurrency_and_recovers) {
    publish({.body = 0, .timeout = milliseconds(0), .concurrency = 1});
    Caller first, second, third;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };

    ask(first, "now");
    ask(second, "now");
    BOOST_TEST(second.status == 503);
    BOOST_TEST(second.body == "fault: endpoint It is busy");
    Exchange::reply(std::move(held));
    ask(third, "now");

    BOOST_TEST(third.answers == 0);
    Exchange::reply(std::move(held));
    BOOST_TEST(third.status == 200);
}

BOOST_AUTO_TEST_CASE(runs_operations_where_the_route_says_whatever_they_declare) {
    std::thread::id ran;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        ran = std::this_thread::get_id();
        Exchange::reply(std::move(exchange));
    };

    publish({}, Dispatch::Inline);
    Caller inlined;
    ask(inlined, "pooled");
    BOOST_TEST(inlined.answers == 1);
    BOOST_TEST((ran == std::this_thread::get_id()));

    publish({}, Dispatch::Pooled);
    Caller pooled;
    ask(pooled, "now");
    loop.turn();
    BOOST_TEST(pooled.answers == 1);
    BOOST_TEST((ran != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(answers_busy_at_once_when_the_workers_and_their_queue_are_full) {
    std::promise<void> release;
    std::shared_future<void> released = release.get_future().share();
    std::atomic<int> started{0};
    endpoint->onProcess = [&](ExchangePtr exchange) {
        ++started;
        released.wait();
        Exchange::reply(std::move(exchange));
    };
    std::vector<Caller> callers(4);

    // Two workers, one place in the queue.
    ask(callers[0], "pooled");
    while (started < 1) std::this_thread::yield();
    ask(callers[1], "pooled");
    while (started < 2) std::this_thread::yield();
    ask(callers[2], "pooled");
    ask(callers[3], "pooled");

    BOOST_TEST(callers[3].status == 503);
    release.set_value();
    for (int i = 0; i < 3; ++i) loop.turn();
    BOOST_TEST(callers[0].status + callers[1].status + callers[2].status == 600);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(prefers_the_endpoints_time_limit_to_the_listeners) {
    publish({.body = 0, .timeout = milliseconds(10'000), .concurrency = 0});
    Caller caller;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };

    const ExchangeRef ref = ask(caller, "now", milliseconds(1'000'000));

    BOOST_TEST((ref.deadline() - held->begun() == milliseconds(10'000)));
    BOOST_TEST(held->call()->deadline == ref.deadline().time_since_epoch().count());
    Exchange::reply(std::move(held));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

Route routeOf(const char* name, const char* listener, const char* path) {
    Route made;
    made.name = name;
    made.listener = listener;
    made.path = path;
    return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(route_table)

BOOST_AUTO_TEST_CASE(refuses_a_path_twice_and_names_both) {
    RouteTable table;
    BOOST_REQUIRE(table.add(routeOf("A", "", "/x")));

    const auto second = table.add(routeOf("B", "", "/x"));

    BOOST_REQUIRE(!second);
    BOOST_TEST(second.error().message() == "path /x of B is taken by A");
}

BOOST_AUTO_TEST_CASE(keeps_listeners_apart) {
    RouteTable table;
    BOOST_REQUIRE(table.add(routeOf("A", "in", "/x")));
    BOOST_REQUIRE(table.add(routeOf("B", "out", "/x")));

    BOOST_TEST(table.find("in", "/x")->name == "A");
    BOOST_TEST(table.find("out", "/x")->name == "B");
    BOOST_TEST(!table.find("else", "/x"));
    BOOST_TEST(!table.find("in", "/X"));
}

BOOST_AUTO_TEST_SUITE_END()
