#include "core/port/chain.hpp"

#include <boost/test/unit_test.hpp>

#include <future>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

namespace {

using Log = std::vector<std::string>;

/// Writes down what it is asked; refuses, or turns answers into faults, where the test says so.
template <class Stage>
class Witness : public Stage {
public:
    Witness(std::string name, Log& log) : name_(std::move(name)), log_(log) {}

    std::optional<Fault> onRequest(Exchange& exchange) const override {
        log_.push_back(name_ + " in" + (exchange.operation() ? " " + exchange.operation()->name : ""));
        if (!refusal.empty()) return toFault(Error::invalid(refusal));
        return std::nullopt;
    }
    std::optional<Fault> onAnswer(Exchange& exchange, Fault* fault) const override {
        log_.push_back(name_ +
                       (fault ? " fault " + fault->reason : " out " + std::string(exchange.draft().bytes.view())));
        if (!instead.empty()) return toFault(Error::internal(instead));
        return std::nullopt;
    }

    std::string refusal, instead;

private:
    std::string name_;
    Log& log_;
};
using EnvelopeWitness = Witness<EnvelopeInterceptor>;
using PayloadWitness = Witness<PayloadInterceptor>;

class EnvelopedBinding : public PlainBinding {
public:
    using PlainBinding::PlainBinding;
    bool hasEnvelopes() const override { return true; }
    Result<void> finish(Exchange& exchange) const override {
        if (exchange.draft().bytes.view() == "unfit") return Error::internal("it can't be carried");
        return ok();
    }
};

/// Two interceptors of each kind before one endpoint.
struct Chained : BusFixture {
    Chained() { publish(std::make_shared<EnvelopedBinding>(endpoint->contract())); }

    void publish(std::shared_ptr<const Binding> binding) {
        auto chain = std::make_shared<Chain>();
        chain->add(std::shared_ptr<const EnvelopeInterceptor>(e1));
        chain->add(std::shared_ptr<const PayloadInterceptor>(p1));
        chain->add(std::shared_ptr<const EnvelopeInterceptor>(e2));
        chain->add(std::shared_ptr<const PayloadInterceptor>(p2));
        auto table = std::make_shared<RouteTable>();
        Route route;
        route.name = "It";
        route.path = "/it";
        route.endpoint = endpoint;
        route.bindings = {std::move(binding)};
        route.chain = std::move(chain);
        BOOST_REQUIRE(table->add(std::move(route)));
        bus.publish(std::move(table));
    }

    Log log;
    std::shared_ptr<EnvelopeWitness> e1 = std::make_shared<EnvelopeWitness>("e1", log),
                                     e2 = std::make_shared<EnvelopeWitness>("e2", log);
    std::shared_ptr<PayloadWitness> p1 = std::make_shared<PayloadWitness>("p1", log),
                                    p2 = std::make_shared<PayloadWitness>("p2", log);
};

void check(const Log& log, const Log& wanted) {
    BOOST_CHECK_EQUAL_COLLECTIONS(log.begin(), log.end(), wanted.begin(), wanted.end());
}

/// Remembers what it was told in place of the caller.
struct Elsewhere : Caller {
    void answer(WireAnswer&& given) override {
        isFault = given.cause != nullptr;
        Caller::answer(std::move(given));
    }
    bool isFault = false;
};

class Diverting : public EnvelopeInterceptor {
public:
    std::optional<Fault> onRequest(Exchange& exchange) const override {
        exchange.divert({answer, fault});
        return std::nullopt;
    }
    std::optional<Fault> onAnswer(Exchange&, Fault*) const override { return std::nullopt; }
    std::shared_ptr<Elsewhere> answer, fault;
};

struct Diverted : BusFixture {
    Diverted() {
        auto chain = std::make_shared<Chain>();
        chain->add(std::shared_ptr<const EnvelopeInterceptor>(diverting));
        auto table = std::make_shared<RouteTable>();
        Route route;
        route.name = "It";
        route.path = "/it";
        route.endpoint = endpoint;
        route.bindings = {std::make_shared<EnvelopedBinding>(endpoint->contract())};
        route.chain = std::move(chain);
        BOOST_REQUIRE(table->add(std::move(route)));
        bus.publish(std::move(table));
    }
    /// Takes exchanges, to be ended by the test.
    void hold() {
        endpoint->onProcess = [this](ExchangePtr exchange) { held = std::move(exchange); };
    }

    std::shared_ptr<Diverting> diverting = std::make_shared<Diverting>();
    std::shared_ptr<Elsewhere> elsewhere = std::make_shared<Elsewhere>();
    ExchangePtr held;
    Caller caller;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(chain, Chained)

BOOST_AUTO_TEST_CASE(each_stage_is_passed_in_order_and_left_in_reverse) {
    Caller caller;

    ask(caller, "now");

    check(log,
          {"e1 in", "e2 in", "p1 in now", "p2 in now", "p2 out done", "p1 out done", "e2 out done", "e1 out done"});
    BOOST_TEST(caller.body == "done");
}

BOOST_AUTO_TEST_CASE(who_refuses_does_not_see_the_fault_and_those_before_it_do) {
    Caller byEnvelope, byPayload;
    e2->refusal = "not e2's";
    ask(byEnvelope, "now");
    check(log, {"e1 in", "e2 in", "e1 fault not e2's"});
    BOOST_TEST(byEnvelope.body == "fault: not e2's");

    log.clear();
    e2->refusal.clear();
    p2->refusal = "not p2's";
    ask(byPayload, "now");
    check(log,
          {"e1 in", "e2 in", "p1 in now", "p2 in now", "p1 fault not p2's", "e2 fault not p2's", "e1 fault not p2's"});
    BOOST_TEST(byPayload.body == "fault: not p2's");
}

BOOST_AUTO_TEST_CASE(a_fault_between_the_stages_is_seen_by_envelope_interceptors_alone) {
    Caller unknown, unreadable;

    ask(unknown, "other");
    ask(unreadable, "unreadable");

    check(log, {"e1 in", "e2 in", "e2 fault no such operation", "e1 fault no such operation"});
}

BOOST_AUTO_TEST_CASE(a_fault_in_place_of_an_answer_is_what_the_others_see_and_the_caller_gets) {
    Caller caller, unfit;
    p2->instead = "p2 minds";
    ask(caller, "now");
    check(log, {"e1 in", "e2 in", "p1 in now", "p2 in now", "p2 out done", "p1 fault p2 minds", "e2 fault p2 minds",
                "e1 fault p2 minds"});
    BOOST_TEST(caller.body == "fault: p2 minds");
    BOOST_TEST(pool.counters().faults == 1u);

    log.clear();
    p2->instead.clear();
    endpoint->onProcess = [](ExchangePtr exchange) {
        exchange->draft().bytes.append("unfit");
        Exchange::reply(std::move(exchange));
    };
    ask(unfit, "now");
    check(log, {"e1 in", "e2 in", "p1 in now", "p2 in now", "p2 fault it can't be carried",
                "p1 fault it can't be carried", "e2 fault it can't be carried", "e1 fault it can't be carried"});
    BOOST_TEST(unfit.body == "fault: it can't be carried");
}

BOOST_AUTO_TEST_CASE(the_fault_of_a_passed_deadline_is_seen_once) {
    Caller caller;
    ExchangePtr held;
    endpoint->onProcess = [&](ExchangePtr exchange) { held = std::move(exchange); };
    ExchangeRef ref = ask(caller, "now");
    log.clear();

    ref.expire(Error(Error::Kind::Timeout, "too late"));
    Exchange::reply(std::move(held));

    check(log, {"p2 fault too late", "p1 fault too late", "e2 fault too late", "e1 fault too late"});
    BOOST_TEST(caller.answers == 1);
}

BOOST_AUTO_TEST_CASE(an_end_without_a_message_is_not_seen) {
    Caller only, robust;
    ask(only, "only");
    endpoint->onProcess = [](ExchangePtr exchange) { Exchange::reply(std::move(exchange)); };
    ask(robust, "robust");

    check(log, {"e1 in", "e2 in", "p1 in only", "p2 in only", "e1 in", "e2 in", "p1 in robust", "p2 in robust"});
}

BOOST_AUTO_TEST_CASE(without_envelopes_there_are_payloads_only) {
    Caller caller;
    publish(std::make_shared<PlainBinding>(endpoint->contract()));

    ask(caller, "now");

    check(log, {"p1 in now", "p2 in now", "p2 out done", "p1 out done"});
}

BOOST_AUTO_TEST_CASE(a_note_lives_as_long_as_its_exchange) {
    struct Counted : Note {
        explicit Counted(int& its) : living(its) { ++living; }
        ~Counted() override { --living; }
        int& living;
    };
    int living = 0;
    Caller caller;
    ExchangePtr held;
    const int mine = 0, other = 0;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        exchange->keep(&mine, std::make_unique<Counted>(living));
        held = std::move(exchange);
    };
    ask(caller, "now");

    BOOST_TEST(living == 1);
    BOOST_TEST(held->noteOf(&mine) != nullptr);
    BOOST_TEST(held->noteOf(&other) == nullptr);
    Exchange::reply(std::move(held));
    BOOST_TEST(living == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(diversion, Diverted)

BOOST_AUTO_TEST_CASE(the_caller_is_told_at_once_and_the_answer_goes_elsewhere) {
    diverting->answer = diverting->fault = elsewhere;
    hold();

    const ExchangeRef ref = ask(caller, "now");
    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(caller.status == 202);
    BOOST_TEST(!ref.open());
    BOOST_TEST(elsewhere->answers == 0);
    held->draft().bytes.append("done");
    Exchange::reply(std::move(held));

    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(elsewhere->answers == 1);
    BOOST_TEST(elsewhere->body == "done");
    BOOST_TEST(!elsewhere->isFault);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(a_caller_that_goes_away_meanwhile_takes_nothing_along) {
    diverting->answer = diverting->fault = elsewhere;
    hold();
    ExchangeRef ref = ask(caller, "now");

    ref.abandon();
    ref.expire(Error(Error::Kind::Timeout, "the transport's, which is over"));
    held->draft().bytes.append("done");
    Exchange::reply(std::move(held));

    BOOST_TEST(elsewhere->body == "done");
    BOOST_TEST(pool.counters().abandoned == 0u);
}

BOOST_AUTO_TEST_CASE(its_deadline_goes_on_and_is_told_elsewhere) {
    diverting->answer = diverting->fault = elsewhere;
    hold();
    ask(caller, "now", milliseconds(50));

    loop.wheel.advance(Clock::now() + milliseconds(500));
    BOOST_TEST(elsewhere->answers == 1);
    BOOST_TEST(elsewhere->isFault);
    BOOST_TEST(held->cancelled());
    Exchange::reply(std::move(held));

    BOOST_TEST(elsewhere->answers == 1);
    BOOST_TEST(pool.counters().late == 1u);
    BOOST_TEST(pool.counters().timeouts == 1u);
}

BOOST_AUTO_TEST_CASE(a_pooled_operation_is_left_once_it_has_a_worker) {
    diverting->answer = diverting->fault = elsewhere;
    std::promise<void> go;
    endpoint->onProcess = [&, wait = go.get_future().share()](ExchangePtr exchange) {
        wait.wait();
        exchange->draft().bytes.append("done");
        Exchange::reply(std::move(exchange));
    };

    ask(caller, "pooled");
    BOOST_TEST(caller.status == 202);
    go.set_value();
    loop.turn();

    BOOST_TEST(elsewhere->body == "done");
}

BOOST_AUTO_TEST_CASE(what_was_never_taken_is_refused_to_the_caller) {
    diverting->answer = diverting->fault = elsewhere;
    bus.workers().stop();

    ask(caller, "pooled");

    BOOST_TEST(caller.status == 503);
    BOOST_TEST(elsewhere->answers == 0);
}

BOOST_AUTO_TEST_CASE(a_fault_before_the_endpoint_goes_where_faults_go) {
    diverting->answer = diverting->fault = elsewhere;

    ask(caller, "other");

    BOOST_TEST(caller.answers == 1);
    BOOST_TEST(caller.status == 202);
    BOOST_TEST(elsewhere->body == "fault: no such operation");
}

BOOST_AUTO_TEST_CASE(with_one_of_the_two_the_caller_waits_for_the_other) {
    diverting->answer = elsewhere;
    hold();
    ask(caller, "now");
    BOOST_TEST(caller.answers == 0);
    Exchange::fail(std::move(held), Error::invalid("no"));
    BOOST_TEST(caller.body == "fault: no");
    BOOST_TEST(elsewhere->answers == 0);

    Caller second;
    ask(second, "now");
    held->draft().bytes.append("done");
    Exchange::reply(std::move(held));
    BOOST_TEST(second.status == 202);
    BOOST_TEST(second.body.empty());
    BOOST_TEST(elsewhere->body == "done");
}

BOOST_AUTO_TEST_CASE(who_keeps_the_message_is_told_when_the_answer_is_on_its_way) {
    diverting->answer = diverting->fault = elsewhere;
    hold();
    WireRequest made = request("now");
    Admission admission = bus.port().admit(made.head);
    Origin origin;
    origin.untilEnd = true;
    const ExchangeRef ref = bus.port().receive(pool, std::move(admission), made,
                                               ReplyTo(std::shared_ptr<Replier>(std::shared_ptr<void>(), &caller)),
                                               milliseconds(0), origin);

    BOOST_TEST(ref.open());
    BOOST_TEST(caller.answers == 0);
    held->draft().bytes.append("done");
    Exchange::reply(std::move(held));

    BOOST_TEST(elsewhere->body == "done");
    BOOST_TEST(caller.status == 202);
}

BOOST_AUTO_TEST_SUITE_END()
