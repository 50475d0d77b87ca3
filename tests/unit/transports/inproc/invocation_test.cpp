#include "transports/inproc/invocation.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <optional>
#include <thread>

#include "formats/xml/parse.hpp"
#include "tests/unit/core/bus_fixture.hpp"
#include "transports/inproc/tape_binding.hpp"

using namespace postbus;
using namespace postbus::core;
using namespace postbus::inproc;

namespace {

/// What was told, kept.
struct Told {
    int times = 0;
    bool cancelled = false;
    Outcome::Kind kind = Outcome::Kind::Done;
    std::string text, fault, bytes, contentType;
    Fault::Code code = Fault::Code::Receiver;

    static void take(InvocationPtr invocation, const Outcome& outcome) {
        Told& told = *static_cast<Told*>(invocation->note.context);
        ++told.times;
        told.kind = outcome.kind;
        told.cancelled = outcome.cancelled;
        if (outcome.tape && !outcome.tape->empty()) {
            Buffer bytes;
            xml::Writer writer;
            writer.begin(bytes);
            writer.copy(outcome.tape->root());
            told.text = bytes.view();
        }
        told.bytes = outcome.bytes;
        told.contentType = outcome.contentType;
        if (outcome.fault) {
            told.fault = outcome.fault->reason;
            told.code = outcome.fault->code;
        }
    }
};

struct InprocFixture : BusFixture {
    InprocFixture() { bus.join(pool); }
    ~InprocFixture() { bus.leave(pool); }

    /// <NAME xmlns="ns">text</NAME>, sent to the endpoint of that name.
    InvocationPtr written(std::string_view operation, std::string_view text = "hi", std::string_view to = "It",
                          Exchange* caller = nullptr) {
        auto made = Invocation::begin(bus, caller, to);
        made->writer().start(endpoint->contract().ns, operation);
        made->writer().text(text);
        made->writer().end();
        return made;
    }
    static void send(InvocationPtr invocation, Told& told) {
        invocation->note.context = &told;
        Invocation::send(std::move(invocation), Told::take);
    }
    void call(Told& told, std::string_view operation, std::string_view text = "hi", std::string_view to = "It") {
        send(written(operation, text, to), told);
        while (!told.times) loop.turn();
    }
    /// An exchange of the outer caller's, held: on its behalf others are made.
    ExchangePtr held(Caller& caller, milliseconds limit = milliseconds(0)) {
        ExchangePtr taken;
        const auto before = endpoint->onProcess;
        endpoint->onProcess = [&](ExchangePtr exchange) { taken = std::move(exchange); };
        outer = ask(caller, "now", limit);
        endpoint->onProcess = before;
        return taken;
    }
    static void echo(ExchangePtr exchange) {
        exchange->draft().writer.start("urn:answer", "said", "a");
        exchange->draft().writer.copyContent(exchange->payload());
        exchange->draft().writer.end();
        Exchange::reply(std::move(exchange));
    }

    ExchangeRef outer;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(invocation, InprocFixture)

BOOST_AUTO_TEST_CASE(carries_the_tape_there_and_back) {
    endpoint->onProcess = echo;
    for (const char* operation : {"now", "pooled"}) {
        Told told;
        call(told, operation);
        BOOST_TEST((told.kind == Outcome::Kind::Answer));
        BOOST_TEST(told.text == "<a:said xmlns:a=\"urn:answer\">hi</a:said>");
    }
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(of_a_nonblocking_operation_runs_within_send_on_the_callers_loop) {
    Caller caller;
    const ExchangePtr mine = held(caller);
    endpoint->onProcess = echo;
    Told told;

    send(written("now", "hi", "It", mine.get()), told);

    BOOST_TEST(told.times == 1);
}

BOOST_AUTO_TEST_CASE(from_another_thread_is_answered_on_the_callers_loop) {
    Caller caller;
    const ExchangePtr mine = held(caller);
    endpoint->onProcess = echo;
    Told told;

    std::thread([&] { send(written("now", "hi", "It", mine.get()), told); }).join();
    BOOST_TEST(told.times == 0);
    loop.turn();

    BOOST_TEST(told.times == 1);
}

BOOST_AUTO_TEST_CASE(tells_each_end_of_each_pattern) {
    Told done, fault, optional, dropped;
    endpoint->onProcess = [](ExchangePtr exchange) { Exchange::reply(std::move(exchange)); };
    call(done, "only");
    BOOST_TEST((done.kind == Outcome::Kind::Done));
    call(optional, "optional");
    BOOST_TEST((optional.kind == Outcome::Kind::Done));
    endpoint->onProcess = [](ExchangePtr exchange) { Exchange::fail(std::move(exchange), Error::invalid("not that")); };
    call(fault, "robust");
    BOOST_TEST((fault.kind == Outcome::Kind::Fault));
    BOOST_TEST(fault.fault == "not that");
    BOOST_TEST((fault.code == Fault::Code::Sender));
    endpoint->onProcess = [](ExchangePtr exchange) { exchange.reset(); };
    call(dropped, "now");
    BOOST_TEST(dropped.fault == "the service gave no answer");
    BOOST_TEST((dropped.code == Fault::Code::Receiver));
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(brings_an_answer_in_bytes_as_a_tape_when_it_is_xml) {
    Told xml, json, broken;
    const auto giving = [](std::string bytes, std::string type) {
        return [bytes, type](ExchangePtr exchange) {
            exchange->draft().bytes.append(bytes);
            exchange->draft().raw = true;
            exchange->draft().contentType = type;
            Exchange::reply(std::move(exchange));
        };
    };
    endpoint->onProcess = giving("<b> x </b>", "");
    call(xml, "now");
    BOOST_TEST(xml.text == "<b> x </b>");
    endpoint->onProcess = giving("{}", "application/json");
    call(json, "now");
    BOOST_TEST(json.bytes == "{}");
    BOOST_TEST(json.contentType == "application/json");
    endpoint->onProcess = giving("{}", "");
    call(broken, "now");
    BOOST_TEST(broken.fault.starts_with("the service's answer is no XML: line 1"));
}

BOOST_AUTO_TEST_CASE(is_refused_where_it_can_not_arrive) {
    Told nobody, nothing, bad;
    call(nobody, "now", "hi", "Nowhere");
    BOOST_TEST(nobody.fault == "there is no endpoint named 'Nowhere'");
    call(nothing, "unheard-of");
    BOOST_TEST(nothing.fault.starts_with("endpoint It has no operation for the element {"));
    BOOST_TEST((nothing.code == Fault::Code::Sender));
    send(written("now", "\x01"), bad);
    BOOST_TEST(bad.fault == "writing XML: a character that XML does not allow in the text");
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(that_is_not_answered_in_time_is_told_so_once) {
    ExchangePtr silent;
    endpoint->onProcess = [&](ExchangePtr exchange) { silent = std::move(exchange); };
    Told told;
    auto made = written("now");
    made->limit(Clock::now() + milliseconds(10));
    send(std::move(made), told);
    loop.turn();
    BOOST_TEST(told.times == 0);

    loop.wheel.advance(Clock::now() + milliseconds(100));
    BOOST_TEST(told.fault == "endpoint It gave no answer in time");
    BOOST_TEST(silent->cancelled());
    Exchange::reply(std::move(silent));

    BOOST_TEST(told.times == 1);
    BOOST_TEST(pool.counters().late == 1u);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(takes_the_callers_deadline_along) {
    Caller caller;
    const ExchangePtr mine = held(caller, milliseconds(5'000));
    TimePoint deadline;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        deadline = exchange->deadline();
        BOOST_TEST(exchange->call()->deadline == deadline.time_since_epoch().count());
        BOOST_TEST(exchange->hops() == 1);
        Exchange::reply(std::move(exchange));
    };
    Told told;
    send(written("now", "hi", "It", mine.get()), told);
    BOOST_TEST((deadline == mine->deadline()));
}

BOOST_AUTO_TEST_CASE(that_runs_in_a_circle_ends_in_a_fault) {
    int passed = 0;
    Told inner;
    endpoint->onProcess = [&](ExchangePtr exchange) {
        ++passed;
        struct Back {
            ExchangePtr exchange;
            static void take(InvocationPtr invocation, const Outcome& outcome) {
                const std::unique_ptr<Back> self(static_cast<Back*>(invocation->note.context));
                if (outcome.fault) return Exchange::fail(std::move(self->exchange), *outcome.fault);
                Exchange::reply(std::move(self->exchange));
            }
        };
        auto next = written("now", "on", "It", exchange.get());
        next->note.context = new Back{std::move(exchange)};
        Invocation::send(std::move(next), Back::take);
    };

    call(inner, "now");

    BOOST_TEST(passed == mostHops);
    BOOST_TEST(inner.fault ==
               "the message has passed through 16 endpoints, It would be one more: they call each other "
               "in a circle");
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(made_for_a_cancelled_exchange_is_cancelled_too) {
    Caller caller;
    ExchangePtr mine = held(caller), nested;
    endpoint->onProcess = [&](ExchangePtr exchange) { nested = std::move(exchange); };
    Told told;
    send(written("now", "hi", "It", mine.get()), told);
    BOOST_TEST(told.times == 0);

    outer.abandon();
    loop.turn();

    BOOST_TEST(told.times == 1);
    BOOST_TEST(told.cancelled);
    BOOST_TEST(told.fault == "nobody waits any more for the call that this one is for");
    BOOST_TEST(nested->cancelled());
    Told after;
    send(written("now", "hi", "It", mine.get()), after);
    BOOST_TEST(after.cancelled);
    Exchange::reply(std::move(nested));
    Exchange::reply(std::move(mine));
    BOOST_TEST(told.times == 1);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(goes_on_when_the_exchange_it_was_made_for_has_been_answered) {
    Caller caller;
    ExchangePtr mine = held(caller), nested;
    endpoint->onProcess = [&](ExchangePtr exchange) { nested = std::move(exchange); };
    Told told, later;
    auto prepared = written("now", "hi", "It", mine.get());
    send(written("now", "hi", "It", mine.get()), told);

    Exchange::reply(std::move(mine));
    outer.abandon();
    Exchange::reply(std::move(nested));
    BOOST_TEST((told.kind == Outcome::Kind::Answer));
    std::thread([&] { send(std::move(prepared), later); }).join();
    loop.turn();
    Exchange::reply(std::move(nested));

    BOOST_TEST((later.kind == Outcome::Kind::Answer));
    BOOST_TEST(!later.cancelled);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(made_for_one_whose_caller_does_not_wait_has_its_own_time) {
    Caller caller;
    ExchangePtr mine, nested;
    endpoint->onProcess = [&](ExchangePtr exchange) { mine = std::move(exchange); };
    ask(caller, "only", milliseconds(5'000));
    BOOST_TEST(caller.answers == 1);
    endpoint->onProcess = [&](ExchangePtr exchange) { nested = std::move(exchange); };
    Told told;

    send(written("now", "hi", "It", mine.get()), told);
    BOOST_TEST(told.times == 0);
    loop.wheel.advance(Clock::now() + milliseconds(5'100));

    BOOST_TEST(told.fault == "endpoint It gave no answer in time");
    Exchange::reply(std::move(nested));
    Exchange::reply(std::move(mine));
    BOOST_TEST(pool.counters().open == 0);
}

/// Where an endpoint was found is remembered for the next call: of the same name, in the same table.
BOOST_AUTO_TEST_CASE(goes_where_its_name_leads_at_the_moment) {
    endpoint->onProcess = echo;
    Told first, gone, back, other;
    call(first, "now");
    BOOST_TEST((first.kind == Outcome::Kind::Answer));
    const auto table = bus.routes();
    bus.publish(std::make_shared<RouteTable>());
    call(gone, "now");
    BOOST_TEST(gone.fault == "there is no endpoint named 'It'");
    bus.publish(table);
    call(back, "now");
    BOOST_TEST((back.kind == Outcome::Kind::Answer));
    call(other, "now", "hi", "That");
    BOOST_TEST(other.fault == "there is no endpoint named 'That'");
}

BOOST_AUTO_TEST_CASE(takes_the_table_of_the_moment_and_not_its_callers) {
    Caller caller;
    const ExchangePtr mine = held(caller);
    endpoint->onProcess = echo;
    bus.publish(std::make_shared<RouteTable>());
    Told told;

    send(written("now", "hi", "It", mine.get()), told);

    BOOST_TEST(told.fault == "there is no endpoint named 'It'");
}

/// It takes no share of the table while its caller has one: when it goes on without the caller, it has to have its own.
BOOST_AUTO_TEST_CASE(keeps_the_table_that_it_began_with_when_its_caller_is_gone) {
    for (const char* operation : {"now", "pooled", "only", "only-pooled"}) {
        publish({});
        const std::weak_ptr<const RouteTable> table = bus.routes();
        Caller caller;
        ExchangePtr mine = held(caller);
        std::atomic<bool> taken{false};
        ExchangePtr nested;
        endpoint->onProcess = [&](ExchangePtr exchange) {
            nested = std::move(exchange);
            taken = true;
        };
        Told told;
        send(written(operation, "hi", "It", mine.get()), told);
        bus.publish(std::make_shared<RouteTable>());
        Exchange::reply(std::move(mine));
        while (!taken) std::this_thread::yield();
        BOOST_TEST(!table.expired(), operation);

        Exchange::reply(std::move(nested));
        while (!told.times || pool.counters().open) loop.turn();
        BOOST_TEST(table.expired(), operation);
        BOOST_TEST(told.times == 1);
    }
}

/// What is told may make the next call, which may well be the same one in memory.
BOOST_AUTO_TEST_CASE(told_of_makes_the_next_one) {
    struct Chained {
        InprocFixture& house;
        int left, answers = 0;
        static void take(InvocationPtr invocation, const Outcome& outcome) {
            Chained& self = *static_cast<Chained*>(invocation->note.context);
            if (outcome.kind == Outcome::Kind::Answer) ++self.answers;
            if (self.left-- == 0) return;
            invocation.reset();
            InvocationPtr next = self.house.written("now");
            next->note.context = &self;
            Invocation::send(std::move(next), take);
        }
    };
    endpoint->onProcess = echo;
    Chained chained{*this, 20};
    InvocationPtr begun = written("now");
    begun->note.context = &chained;
    Invocation::send(std::move(begun), Chained::take);
    while (chained.left >= 0) loop.turn();

    BOOST_TEST(chained.answers == 21);
    BOOST_TEST(pool.counters().open == 0);
}

BOOST_AUTO_TEST_CASE(begun_and_not_sent_leaves_nothing) {
    written("now").reset();
    BOOST_TEST(pool.counters().begun == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
