#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <future>
#include <random>
#include <thread>

#include "tests/support/eventually.hpp"
#include "tests/unit/endpoints/destination/destination_house.hpp"
#include "transports/inproc/invocation.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

std::string textOf(const inproc::Outcome& outcome) {
    const Element root = outcome.tape ? outcome.tape->root() : Element{};
    return root ? root.text() : "(no answer)";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(destinations)

BOOST_AUTO_TEST_CASE(sends_a_request_and_passes_its_answer_on_as_it_is) {
    House house;
    std::mutex mutex;
    queues::Message request;
    house.answerWith([&](const queues::Message& message) {
        const std::lock_guard lock(mutex);
        request = message;
        return said("{\"any\": \"thing\"}", false, "application/json");
    });

    const Answer answer = house.call("<x/>", "application/xml");

    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.contentType == "application/json");
    BOOST_TEST(answer.body == "{\"any\": \"thing\"}");
    const std::lock_guard lock(mutex);
    BOOST_TEST(request.body == "<x/>");
    BOOST_TEST(request.contentType == "application/xml");
    BOOST_TEST(request.persistent);
    BOOST_TEST(request.expires - request.timestamp > 15'000);
    BOOST_TEST(request.expires - request.timestamp <= 20'000);
    BOOST_TEST((request.properties.back() == queues::Property{"SOAPJMS_soapAction", std::string("urn:do")}));
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE(each_pattern_gets_what_it_has_a_place_for) {
    struct Case {
        Pattern pattern;
        const char* comes;  // answer, fault or nothing
        int status;
    };
    for (const auto& [pattern, comes, status] : std::initializer_list<Case>{{Pattern::InOut, "answer", 200},
                                                                            {Pattern::InOut, "fault", 500},
                                                                            {Pattern::InOut, "nothing", 500},
                                                                            {Pattern::InOptionalOut, "answer", 200},
                                                                            {Pattern::InOptionalOut, "fault", 500},
                                                                            {Pattern::InOptionalOut, "nothing", 202},
                                                                            {Pattern::RobustInOnly, "answer", 202},
                                                                            {Pattern::RobustInOnly, "fault", 500},
                                                                            {Pattern::RobustInOnly, "nothing", 202},
                                                                            {Pattern::InOnly, "answer", 202},
                                                                            {Pattern::InOnly, "fault", 202},
                                                                            {Pattern::InOnly, "nothing", 202}}) {
        BOOST_TEST_CONTEXT(core::nameOf(pattern) << ", " << comes) {
            const bool nothing = comes == std::string_view("nothing");
            House house(pattern, milliseconds(nothing ? 200 : 20'000));
            std::atomic<int> named{0};
            house.answerWith([&, comes = std::string_view(comes)](const queues::Message& message) {
                if (message.replyTo.empty()) return std::optional<queues::Message>();
                ++named;
                if (comes == "answer") return std::optional(said(envelope(soap11, "<ok/>")));
                if (comes == "fault") return std::optional(said(faultOf("Server", "it broke"), true));
                return std::optional<queues::Message>();
            });

            const Answer answer = house.call(envelope(soap11, "<x/>"));

            BOOST_TEST(answer.status == status);
            if (status == 200) BOOST_TEST(holds(answer.body, "<ok/>"));
            if (status == 202) BOOST_TEST(answer.body == "");
            if (status == 500)
                BOOST_TEST(holds(answer.body, nothing ? "queue:requests: no answer came in time" : "it broke"));
            BOOST_TEST(named == (pattern == Pattern::InOnly ? 0 : 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(opens_what_comes_back_to_a_caller_inside_of_the_bus) {
    House house;
    house.answerWith([](const queues::Message& message) {
        if (!holds(message.body, ">fail<"))
            return said(envelope(soap11, "<h:said>" + message.contentType + "</h:said>"));
        return said(faultOf("Client", "not so"), true);
    });
    for (const bool fails : {false, true}) {
        std::promise<std::string> told;
        inproc::InvocationPtr call = inproc::Invocation::begin(house.bus, nullptr, "Front");
        call->writer().start(helloNs, "sayHi");
        call->writer().start({}, "arg0");
        call->writer().text(fails ? "fail" : "Bob");
        call->writer().end();
        call->writer().end();
        call->note.context = &told;
        inproc::Invocation::send(std::move(call), [](inproc::InvocationPtr invocation, const inproc::Outcome& outcome) {
            static_cast<std::promise<std::string>*>(invocation->note.context)
                ->set_value(outcome.fault ? "fault: " + outcome.fault->reason : textOf(outcome));
        });
        BOOST_TEST(told.get_future().get() == (fails ? "fault: not so" : "text/xml; charset=utf-8"));
    }
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_with_an_answer) {
    const std::pair<queues::Message, const char*> cases[] = {
        {said("no xml", true), "queue:requests: the answer is no SOAP message"},
        {said(envelope(soap11, "<x/>"), true), "says that it is a fault"},
        {said(faultOf("Server", "as it is"), true), "as it is"},
    };
    for (const auto& [message, reason] : cases) {
        House house;
        house.answerWith([message = message](const queues::Message&) { return message; });
        const Answer answer = house.call("<x/>");
        BOOST_TEST(answer.status >= 500);
        BOOST_TEST(holds(answer.body, reason), answer.body);
    }
    House house;
    house.answerWith([](const queues::Message&) {
        queues::Message packed = said("never unpacked");
        packed.properties.push_back({"SOAPJMS_contentEncoding", std::string("gzip")});
        return packed;
    });
    BOOST_TEST(holds(house.call("<x/>").body, "the answer can't be unpacked"));
}

BOOST_AUTO_TEST_CASE(an_answer_to_somebody_else_or_a_second_one_is_dropped) {
    House house;
    house.answerWith([&](const queues::Message& message) {
        queues::Message stranger = said("<stranger/>");
        stranger.correlationId = "of nobody";
        house.engine->send(message.replyTo, stranger, [](const Result<void>&) {});
        return said("<own/>");
    });
    for (int i = 0; i < 10; ++i) BOOST_TEST(house.call("<x/>").body == "<own/>");
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE(a_queue_that_takes_nothing_is_told_at_once) {
    for (const Pattern pattern : {Pattern::InOnly, Pattern::InOut}) {
        House house(pattern);
        BOOST_REQUIRE(house.engine->declareQueue("requests", {}));
        BOOST_REQUIRE(house.engine->pause("requests", true, false));
        const Answer answer = house.call("<x/>");
        BOOST_TEST(answer.status == 503);
        BOOST_TEST(holds(answer.body, "queue:requests: "), answer.body);

        (void)house.engine->stop();
        BOOST_TEST(house.call("<x/>").status >= 500);
        house.engine.reset();
        BOOST_TEST(holds(house.call("<x/>").body, "the queues are out of service"));
    }
}

BOOST_AUTO_TEST_CASE(those_who_wait_are_told_when_the_queues_are_opened_anew) {
    House house;
    std::string told;
    std::thread waiting([&] { told = house.call("<waits/>").body; });
    while (!house.engine->status("requests") || house.engine->status("requests")->depth() == 0)
        std::this_thread::sleep_for(milliseconds(1));
    (void)house.engine->stop();
    // On the loop, where it is looked at.
    house.loop.run([&] { house.engine.reset(); });
    auto next = house.opened();
    house.loop.run([&] { house.engine = std::move(next); });
    // What waited is still there, and is taken by the next, too; its answer has nowhere to go.
    house.answerWith([](const queues::Message& message) {
        return message.body == "<x/>" ? std::optional(said("<own/>")) : std::nullopt;
    });

    BOOST_TEST(house.call("<x/>").body == "<own/>");

    waiting.join();
    BOOST_TEST(holds(told, "the queues were opened anew"));
}

/// One caller of many: asks once, waits for so long, or goes away. For the loop's thread, but for the figures.
class Asked final : public core::Replier, public Timer, public std::enable_shared_from_this<Asked> {
public:
    explicit Asked(House& house) : house_(house) {}
    void ask(const std::string& how, milliseconds limit) {
        core::WireRequest request;
        request.head.method = "POST";
        request.head.path = "/front";
        request.head.contentType = "text/xml";
        request.body = how;
        core::Origin origin;
        origin.deadline = Clock::now() + limit;
        auto admission = house_.bus.port().admit(request.head);
        ref_ = house_.bus.port().receive(house_.loop.exchanges(), std::move(admission), request,
                                         core::ReplyTo(shared_from_this()), milliseconds(0), origin);
        if (ref_.open()) house_.loop.setTimer(*this, ref_.deadline());
    }
    void goAway() {
        if (!ref_.open()) return;
        house_.loop.cancelTimer(*this);
        ref_.abandon();
        gone_ = true;
    }
    void answer(core::WireAnswer&& given) override {
        ++answers_;
        house_.loop.cancelTimer(*this);
        house_.loop.exchanges().giveBuffer(std::move(given.body));
    }
    void onTimer() override { ref_.expire(Error(Error::Kind::Timeout, "too late")); }
    bool right() const { return answers_ == (gone_ ? 0 : 1); }
    bool gone() const { return gone_; }

private:
    House& house_;
    core::ExchangeRef ref_;
    std::atomic<bool> gone_{false};
    std::atomic<int> answers_{0};
};

BOOST_AUTO_TEST_CASE(every_request_ends_exactly_once) {
    const unsigned seed = std::random_device()();
    for (const Pattern pattern : {Pattern::InOut, Pattern::InOptionalOut, Pattern::RobustInOnly, Pattern::InOnly}) {
        BOOST_TEST_CONTEXT("seed " << seed << ", " << core::nameOf(pattern)) {
            std::mt19937 random(seed);
            House house(pattern, milliseconds(0));
            std::vector<queues::Message> late;  // the engine's thread
            const auto put = [&](const queues::Message& answer, const queues::Message& request) {
                queues::Message copy = answer;
                copy.correlationId = request.correlationId;
                house.engine->send(request.replyTo, std::move(copy), [](const Result<void>&) {});
            };
            house.answerWith([&](const queues::Message& request) {
                if (request.replyTo.empty()) return std::optional<queues::Message>();
                for (const queues::Message& each : std::exchange(late, {})) put(said("<late/>"), each);
                if (request.body == "twice") put(said("<first/>"), request);
                if (request.body == "late") late.push_back(request);
                if (request.body == "fault") return std::optional(said(faultOf("Server", "it broke"), true));
                if (request.body == "reply" || request.body == "twice") return std::optional(said("<ok/>"));
                return std::optional<queues::Message>();
            });
            const char* const hows[] = {"reply", "twice", "fault", "late", "never"};
            constexpr int calls = 400;
            std::vector<std::shared_ptr<Asked>> all;
            for (int i = 0; i < calls; ++i) {
                const auto asked = all.emplace_back(std::make_shared<Asked>(house));
                // Some end just when their answer comes.
                house.loop.post([=, how = std::string(hows[random() % std::size(hows)]),
                                 limit = milliseconds(random() % 80 + 1)] { asked->ask(how, limit); });
                if (random() % 4 == 0) house.loop.post([asked] { asked->goAway(); });
                while (house.bus.figures().open > 40) std::this_thread::yield();
            }
            house.loop.run([] {});
            BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
            BOOST_TEST(house.bus.figures().begun == static_cast<std::uint64_t>(calls));
            BOOST_TEST(std::count_if(all.begin(), all.end(), [](const auto& each) { return !each->right(); }) == 0);
            BOOST_TEST(std::any_of(all.begin(), all.end(), [](const auto& each) { return each->gone(); }));
            (void)house.engine->stop();  // whose thread uses what is here
        }
    }
}

BOOST_AUTO_TEST_CASE(publishes_to_a_topic) {
    House house(Pattern::InOnly, milliseconds(20'000), "topic:requests");
    std::promise<queues::Message> got;
    house.answerWith(
        [&](const queues::Message& message) {
            got.set_value(message);
            return std::nullopt;
        },
        true);
    BOOST_TEST(house.call("<news/>").status == 202);
    const queues::Message message = got.get_future().get();
    BOOST_TEST(message.body == "<news/>");
    BOOST_TEST((message.properties[1] == queues::Property{"SOAPJMS_requestURI", std::string("jms:topic:requests")}));
}

BOOST_AUTO_TEST_CASE(names_are_read_and_written) {
    BOOST_TEST(Destination::parse("queue:a b")->name == "a b");
    BOOST_TEST(Destination::parse("topic:t")->topic);
    BOOST_TEST(Destination::parse("topic:t")->text() == "topic:t");
    BOOST_TEST(Destination::parse("queue:").error().message() == "names no queue");
    BOOST_TEST(!Destination::parse("service:x"));
    destination::Sending sending;
    sending.timeToLive = milliseconds(5);
    const queue::JmsUri uri = addressOf(*Destination::parse("queue:a b?\xc3\xa4"), sending);
    BOOST_TEST(uri.text() == "jms:queue:a%20b%3F%C3%A4");
    BOOST_TEST(queue::JmsUri::parse(uri.text())->destination == "a b?\xc3\xa4");
    BOOST_TEST(uri.parameters.at("timeToLive") == "5");
}

BOOST_AUTO_TEST_SUITE_END()
