// What every transport promises the bus, whatever it speaks. A new one joins by a rig in
// transport_rigs.hpp, named in the tuples below.
//
// Calls from inside of the bus (transports/inproc) keep what needs no connection and no bytes: AllRigs. What is
// cancelled with its caller says tests/unit/transports/inproc.
//
// Queues (transports/queue) keep what needs no connection: WireRigs. Nothing of a caller that could be counted, left or
// waited for at a stop; what is open then is not answered but kept, as tests/unit/transports/queue shows. The rig has
// one attempt for each message, so that what may pass is told at once instead of tried again, and its callers find
// their answers by correlation.
#include <boost/test/unit_test.hpp>

#include <memory>
#include <tuple>

#include "core/bus.hpp"
#include "tests/contracts/transport_rigs.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/test_service.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

using ConnectedRigs = std::tuple<HttpRig>;
using WireRigs = std::tuple<HttpRig, QueueRig>;
using AllRigs = std::tuple<HttpRig, InprocRig, QueueRig>;

template <class Rig>
struct House {
    core::Bus bus;
    std::shared_ptr<TestEndpoint> endpoint = std::make_shared<TestEndpoint>();
    Rig rig{bus};

    explicit House(std::size_t workers = 4, std::size_t backlog = 100) : bus(workers, backlog) {
        core::Route route;
        route.name = "Test";
        route.path = "/service";
        route.endpoint = endpoint;
        route.bindings.push_back(std::make_shared<TestBinding>(*endpoint));
        auto table = std::make_shared<core::RouteTable>();
        table->addNamed(route);
        table->setFallback(std::move(route));
        bus.publish(std::move(table));
    }
    ~House() {
        endpoint->release();
        rig.stop(Clock::now() + std::chrono::seconds(5));
        bus.workers().stop();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(transport_contract)

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_on_the_loop_and_from_other_threads, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    for (const char* body : {"echo inline", "pool from a worker", "", "echo again"}) {
        caller.send(body);
        const Reply reply = caller.receive();
        BOOST_TEST(!reply.fault);
        BOOST_TEST(reply.body == body);
    }
    BOOST_TEST(house.bus.figures().begun == 4u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(carries_bytes_as_they_are, Rig, WireRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    std::string body = "echo ";
    for (int i = 0; i < 90'000; ++i) body += static_cast<char>(i * 7);
    caller.send(body);
    BOOST_TEST((caller.receive().body == body));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_one_caller_in_the_order_of_its_requests, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    for (int i = 0; i < 200; ++i) caller.send((i % 3 ? "echo " : "pool ") + std::to_string(i));
    for (int i = 0; i < 200; ++i) BOOST_TEST(caller.receive().body == (i % 3 ? "echo " : "pool ") + std::to_string(i));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(serves_others_while_one_waits, Rig, AllRigs) {
    House<Rig> house;
    auto waiting = house.rig.connect();
    waiting.send("slow");
    house.endpoint->waitUntilHeld();
    for (int i = 0; i < 8; ++i) {
        auto other = house.rig.connect();
        other.send("echo x");
        BOOST_TEST(other.receive().body == "echo x");
    }
    house.endpoint->release();
    BOOST_TEST(waiting.receive().body == "slow");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(hands_on_faults_and_lets_no_dropped_exchange_hang, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    for (const char* body : {"fail", "lost", "unreadable"}) {
        caller.send(body);
        const Reply reply = caller.receive();
        BOOST_TEST(reply.fault);
        BOOST_TEST(reply.body.find("fault: ") == 0u);
    }
    caller.send("echo x");
    BOOST_TEST(caller.receive().body == "echo x");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refuses_what_is_over_its_limits, Rig, WireRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    caller.send(std::string(Rig::bodyLimit + 1, 'x'));
    BOOST_TEST(caller.receive().fault);
    BOOST_TEST(house.bus.figures().begun == 0u);

    auto next = house.rig.connect();
    next.send("echo " + std::string(Rig::bodyLimit - 5, 'x'));
    BOOST_TEST(!next.receive().fault);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_for_a_service_that_takes_too_long, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    const TimePoint start = Clock::now();
    caller.send("slow");
    BOOST_TEST(caller.receive().fault);
    BOOST_TEST((Clock::now() - start >= Rig::exchangeTime));
    BOOST_TEST(house.bus.figures().timeouts == 1u);

    house.endpoint->release();
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
    BOOST_TEST(house.bus.figures().late == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_at_once_when_no_worker_is_free, Rig, AllRigs) {
    constexpr int workers = 2, backlog = 3;
    House<Rig> house(workers, backlog);
    std::vector<typename Rig::Caller> callers;
    for (int i = 0; i < workers + backlog; ++i) {
        callers.push_back(house.rig.connect());
        callers.back().send("slow");
        if (i < workers) house.endpoint->waitUntilHeld(i + 1);
    }
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == workers + backlog; }));

    auto refused = house.rig.connect(), inlined = house.rig.connect();
    refused.send("pool x");
    BOOST_TEST(refused.receive().body.find("fault: all workers are busy") == 0u);
    inlined.send("echo x");
    BOOST_TEST(inlined.receive().body == "echo x");

    house.endpoint->release();
    int answered = 0;
    for (auto& each : callers) answered += each.receive().body == "slow";
    BOOST_TEST(answered == workers + backlog);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keeps_nothing_of_a_caller_that_has_gone, Rig, ConnectedRigs) {
    House<Rig> house;
    auto gone = house.rig.connect();
    gone.send("slow");
    house.endpoint->waitUntilHeld();
    gone.leave();

    BOOST_TEST(test::eventually([&] { return house.bus.figures().abandoned == 1; }));
    BOOST_TEST(test::eventually([&] { return house.rig.connections() == 0; }));
    house.endpoint->release();
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_reload_loses_no_caller, Rig, WireRigs) {
    House<Rig> house;
    auto waiting = house.rig.connect(), idle = house.rig.connect();
    idle.send("echo before");
    BOOST_TEST(idle.receive().body == "echo before");
    waiting.send("slow");
    house.endpoint->waitUntilHeld();

    house.rig.reload();

    house.endpoint->release();
    BOOST_TEST(waiting.receive().body == "slow");
    idle.send("echo after");
    BOOST_TEST(idle.receive().body == "echo after");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stopping_answers_every_accepted_request, Rig, ConnectedRigs) {
    House<Rig> house;
    std::vector<typename Rig::Caller> callers;
    for (int i = 0; i < 3; ++i) {
        callers.push_back(house.rig.connect());
        callers.back().send("slow " + std::to_string(i));
    }
    house.endpoint->waitUntilHeld(3);
    auto late = house.rig.connect();
    late.send("echo at the last moment");
    std::size_t expired = 99;
    std::thread stopper([&] { expired = house.rig.stop(Clock::now() + std::chrono::seconds(10)); });
    BOOST_TEST(late.receive().body == "echo at the last moment");
    house.endpoint->release();

    for (int i = 0; i < 3; ++i)
        BOOST_TEST(callers[static_cast<std::size_t>(i)].receive().body == "slow " + std::to_string(i));
    callers.clear();
    stopper.join();
    BOOST_TEST(expired == 0u);
    BOOST_TEST(house.rig.connections() == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(at_the_deadline_of_a_stop_open_exchanges_get_a_fault, Rig, ConnectedRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    caller.send("slow");
    house.endpoint->waitUntilHeld();
    std::size_t expired = 0;
    std::thread stopper([&] { expired = house.rig.stop(Clock::now() + milliseconds(50)); });

    BOOST_TEST(caller.receive().fault);
    house.endpoint->release();
    stopper.join();
    BOOST_TEST(expired == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
