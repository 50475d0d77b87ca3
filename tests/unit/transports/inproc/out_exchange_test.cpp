#include "transports/inproc/out_exchange.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <optional>

#include "tests/support/eventually.hpp"
#include "tests/support/port_caller.hpp"
#include "transports/queue/queue_loop.hpp"

using namespace postbus;
using namespace postbus::test;
using core::Pattern;
using inproc::Outcome;
using inproc::OutExchange;
using State = core::Conversation::State;

namespace {

/// Takes everything, by the pattern or, as a callback address does, by its contract alone.
class Receiver final : public core::Endpoint {
public:
    explicit Receiver(bool byPattern, FunctionEndpoint::Handler handler)
        : byPattern_(byPattern), handler_(std::move(handler)) {
        contract_.name = "receiver";
        for (const Pattern each : core::everyPattern) {
            if (core::rulesOf(each).serviceFirst) break;
            wsdl::Operation operation;
            operation.name = core::nameOf(each);
            operation.any = operation.nonblocking = true;
            operation.mep = static_cast<std::uint32_t>(each == Pattern::InOnly ? Pattern::RobustInOnly : each);
            (byPattern || each == Pattern::InOut ? contract_.operations : others_).push_back(operation);
        }
    }
    void process(core::ExchangePtr exchange) override { handler_(std::move(exchange)); }
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return contract_.name; }
    Result<const wsdl::Operation*> operationUnder(Pattern pattern) const override {
        if (!byPattern_) return nullptr;
        return &contract_.operations[static_cast<std::size_t>(pattern) - 1];
    }

private:
    const bool byPattern_;
    const FunctionEndpoint::Handler handler_;
    wsdl::Contract contract_;
    std::vector<wsdl::Operation> others_;
};

void answer(core::ExchangePtr exchange) {
    exchange->draft().writer.start("urn:r", "answer");
    exchange->draft().writer.text(exchange->payload().text());
    exchange->draft().writer.end();
    core::Exchange::reply(std::move(exchange));
}
void done(core::ExchangePtr exchange) { core::Exchange::reply(std::move(exchange)); }
void fault(core::ExchangePtr exchange) { core::Exchange::fail(std::move(exchange), Error::internal("it broke")); }

struct House {
    core::Bus bus{1, 10};
    queue::QueueLoop loop{bus};
    std::mutex mutex;
    std::vector<core::ExchangePtr> held;  // kept until the end

    House(bool byPattern, FunctionEndpoint::Handler handler, milliseconds timeout = milliseconds(0),
          const std::shared_ptr<core::Callbacks>& callbacks = nullptr) {
        core::Route route;
        route.name = "Stock#news";
        route.endpoint = std::make_shared<Receiver>(byPattern, std::move(handler));
        route.limits.timeout = timeout;
        auto table = std::make_shared<core::RouteTable>();
        route.callbacks = callbacks;
        table->addNamed(std::move(route));
        bus.publish(std::move(table));
    }
    ~House() {
        held.clear();
        bus.workers().stop();
        loop.finish(Clock::now() + std::chrono::seconds(10));
    }

    struct Told {
        Outcome::Kind kind;
        std::string text;
        State state;
    };
    Told send(Pattern pattern, std::string_view message = "news", std::string_view text = "hi",
              std::string_view address = {}) {
        struct Waiting {
            std::promise<std::pair<Outcome::Kind, std::string>> told;
            std::atomic<int> times{0};
        } waiting;
        const auto exchange = OutExchange::begin(bus, nullptr, "Stock", message, pattern);
        if (!address.empty()) exchange->to(address);
        exchange->writer().start("urn:s", "news");
        exchange->writer().text(text);
        exchange->writer().end();
        exchange->send(
            [](void* context, const Outcome& outcome) {
                auto& its = *static_cast<Waiting*>(context);
                if (++its.times > 1) return;
                std::string words;
                if (outcome.fault) words = outcome.fault->reason;
                const Element answer = outcome.tape ? outcome.tape->root() : Element{};
                if (answer) words = answer.text();
                its.told.set_value({outcome.kind, words});
            },
            &waiting);
        const auto [kind, words] = waiting.told.get_future().get();
        State state{};
        loop.run([&] { state = exchange->conversation().state(); });
        BOOST_TEST(waiting.times == 1);
        return {kind, words, state};
    }
};

/// Lets messages go to one address.
class OneAddress final : public core::Callbacks {
public:
    explicit OneAddress(FunctionEndpoint::Handler handler)
        : receiver_(std::make_shared<Receiver>(true, std::move(handler))) {}
    Result<std::shared_ptr<core::Endpoint>> endpointAt(std::string_view address) override {
        if (address != "there") return Error(Error::Kind::NotFound, "nobody is at " + std::string(address));
        return std::shared_ptr<core::Endpoint>(receiver_);
    }

private:
    const std::shared_ptr<Receiver> receiver_;
};

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(out_exchange)

BOOST_AUTO_TEST_CASE(ends_as_its_pattern_says) {
    using Kind = Outcome::Kind;
    struct Case {
        const char* text;
        FunctionEndpoint::Handler receiver;
        Kind kind;
        Pattern pattern;
        State state;
    };
    const Case cases[] = {
        {"", done, Kind::Done, Pattern::OutOnly, State::Done},
        {"it broke", fault, Kind::Fault, Pattern::OutOnly,
         State::Error},  // it was not taken: no message of the pattern
        {"", done, Kind::Done, Pattern::RobustOutOnly, State::Done},
        {"it broke", fault, Kind::Fault, Pattern::RobustOutOnly, State::Done},
        {"hi", answer, Kind::Answer, Pattern::OutIn, State::Done},
        {"it broke", fault, Kind::Fault, Pattern::OutIn, State::Done},
        {"hi", answer, Kind::Answer, Pattern::OutOptionalIn, State::Done},
        {"", done, Kind::Done, Pattern::OutOptionalIn, State::Done},
        {"it broke", fault, Kind::Fault, Pattern::OutOptionalIn, State::Done},
    };
    for (const bool byPattern : {true, false})
        for (const auto& [text, receiver, kind, pattern, state] : cases) {
            BOOST_TEST_CONTEXT(core::nameOf(pattern) << (byPattern ? ", by pattern, " : ", by contract, ") << text) {
                House house(byPattern, receiver);
                const House::Told told = house.send(pattern);
                BOOST_TEST((told.kind == kind));
                BOOST_TEST(told.text == text);
                BOOST_TEST((told.state == state));
                BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
            }
        }
}

BOOST_AUTO_TEST_CASE(what_the_pattern_has_no_place_for_is_not_passed_on) {
    House house(false, [](core::ExchangePtr exchange) {
        exchange->payload().text() == "answer me" ? answer(std::move(exchange)) : done(std::move(exchange));
    });
    for (const Pattern pattern : {Pattern::OutOnly, Pattern::RobustOutOnly}) {
        const House::Told told = house.send(pattern, "news", "answer me");
        BOOST_TEST((told.kind == Outcome::Kind::Done));
        BOOST_TEST((told.state == State::Done));
    }
    const House::Told nothing = house.send(Pattern::OutIn);
    BOOST_TEST((nothing.kind == Outcome::Kind::Fault));
    BOOST_TEST(holds(nothing.text, "Stock#news got no answer, and its pattern, http://www.w3.org/ns/wsdl/out-in"));
    BOOST_TEST((nothing.state == State::Error));
}

BOOST_AUTO_TEST_CASE(says_what_to_configure_when_nobody_has) {
    House house(true, done);
    const House::Told told = house.send(Pattern::OutOnly, "unknown");
    BOOST_TEST((told.kind == Outcome::Kind::Fault));
    BOOST_TEST(holds(told.text, "out: {unknown: queue:NAME}"), told.text);
    BOOST_TEST((told.state == State::Error));
}

BOOST_AUTO_TEST_CASE(is_given_up_at_its_deadline_and_what_comes_later_is_counted) {
    for (const Pattern pattern : {Pattern::OutOnly, Pattern::RobustOutOnly, Pattern::OutIn, Pattern::OutOptionalIn}) {
        House* its = nullptr;
        House house(
            true,
            [&its](core::ExchangePtr exchange) {
                const std::lock_guard lock(its->mutex);
                its->held.push_back(std::move(exchange));
            },
            milliseconds(40));
        its = &house;
        const House::Told told = house.send(pattern);
        BOOST_TEST((told.kind == Outcome::Kind::Fault));
        BOOST_TEST(holds(told.text, "Stock#news was not answered in time"));
        BOOST_TEST(house.bus.figures().open == 1);
        {
            const std::lock_guard lock(house.mutex);
            core::Exchange::reply(std::move(house.held.back()));
        }
        house.loop.run([] {});
        BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
        BOOST_TEST(house.bus.figures().late == 1u);
    }
}

BOOST_AUTO_TEST_CASE(messages_that_cause_each_other_come_to_an_end) {
    House* its = nullptr;
    std::atomic<int> seen{0};
    std::promise<std::string> end;
    House house(true, [&](core::ExchangePtr exchange) {
        ++seen;
        const auto next = OutExchange::begin(its->bus, exchange.get(), "Stock", "news", Pattern::OutOnly);
        next->writer().start("urn:s", "news");
        next->writer().end();
        core::Exchange::reply(std::move(exchange));
        next->send(
            [](void* context, const Outcome& outcome) {
                if (outcome.fault) static_cast<std::promise<std::string>*>(context)->set_value(outcome.fault->reason);
            },
            &end);
    });
    its = &house;
    (void)house.send(Pattern::OutOnly);
    BOOST_TEST(holds(end.get_future().get(), "they call each other in a circle"));
    BOOST_TEST(seen == core::mostHops);
}

BOOST_AUTO_TEST_CASE(an_unfinished_message_is_not_sent) {
    House house(true, done);
    std::promise<std::string> told;
    const auto exchange = OutExchange::begin(house.bus, nullptr, "Stock", "news", Pattern::OutOnly);
    exchange->writer().start("urn:s", "news");
    exchange->send(
        [](void* context, const Outcome& outcome) {
            static_cast<std::promise<std::string>*>(context)->set_value(outcome.fault ? outcome.fault->reason : "sent");
        },
        &told);
    BOOST_TEST(told.get_future().get() != "sent");
    BOOST_TEST(house.bus.figures().begun == 0u);
}

BOOST_AUTO_TEST_CASE(goes_to_the_address_that_it_was_given) {
    House house(true, answer, milliseconds(0), std::make_shared<OneAddress>(fault));
    House::Told told = house.send(Pattern::OutIn, "news", "hi", "there");
    BOOST_CHECK(told.kind == Outcome::Kind::Fault);
    BOOST_TEST(told.text == "it broke");
    BOOST_CHECK(told.state == State::Done);
    told = house.send(Pattern::OutOnly, "news", "hi", "elsewhere");
    BOOST_CHECK(told.kind == Outcome::Kind::Fault);
    BOOST_TEST(told.text == "news of service Stock: nobody is at elsewhere");
    BOOST_CHECK(told.state == State::Error);
    BOOST_TEST(house.send(Pattern::OutIn, "news", "hi").text == "hi");

    House without(true, answer);
    BOOST_TEST(holds(without.send(Pattern::OutIn, "news", "hi", "there").text, "addresses: [http://HOST:PORT/PATH]"));
}

BOOST_AUTO_TEST_SUITE_END()
