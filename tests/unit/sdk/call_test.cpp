#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/unit/sdk/sample_service.hpp"

namespace {

using postbus::Call;
using postbus::Fault;
using postbus::Outcome;
using postbus::Request;
using postbus::test::PluginAnswer;
using postbus::test::PluginCall;
using sample::Running;
using sample::Service;
using sample::Text;

/// The answer to a message of an operation named "say".
template <class Handler>
PluginAnswer answerOf(Handler handler,
                      const std::string& message = "<say xmlns='urn:test'><text xmlns=''>x</text></say>") {
    Running running([&handler](Service& self) { self.operation("say", handler); });
    BOOST_REQUIRE(running.started);
    return running.host.call(message);
}
template <class Handler>
PluginAnswer rawAnswerOf(Handler handler, const std::string& message = "<say xmlns='urn:test'/>") {
    Running running([&handler](Service& self) { self.raw("say", handler); });
    BOOST_REQUIRE(running.started);
    PluginCall call(message);
    running.host.dispatch(call);
    PluginAnswer answer = call.answer();
    running.host.stop();
    BOOST_TEST(call.answers() == 1);
    return answer;
}
void isFault(const PluginAnswer& answer, std::uint32_t code, const std::string& reason,
             const std::string& detail = {}) {
    BOOST_TEST(answer.fault);
    BOOST_TEST(answer.code == code);
    BOOST_TEST(answer.reason == reason);
    BOOST_TEST(answer.detail == detail);
}

Text fromFunction(const Text& in) { return in; }

const std::string said = "<ns2:sayResponse xmlns:ns2=\"urn:test\"><text>x</text></ns2:sayResponse>";
const std::string nothingSaid = "<ns2:sayResponse xmlns:ns2=\"urn:test\"/>";

}  // namespace

BOOST_AUTO_TEST_SUITE(call)

BOOST_AUTO_TEST_CASE(a_handler_may_have_any_of_these_signatures) {
    BOOST_TEST(answerOf([](const Text& in) { return in; }).payload == said);
    BOOST_TEST(answerOf([](Text in) { return in; }).payload == said);
    BOOST_TEST(answerOf(&fromFunction).payload == said);
    BOOST_TEST(answerOf([] { return Text{"x"}; }, "<say xmlns='urn:test'/>").payload == said);
    BOOST_TEST(answerOf([](const Text&) noexcept {}).payload == nothingSaid);
    BOOST_TEST(answerOf([](const Text& in) -> Outcome<Text> { return in; }).payload == said);
    BOOST_TEST(answerOf([](const Text&) -> Outcome<void> { return {}; }).payload == nothingSaid);
    BOOST_TEST(answerOf([](const Text& in, const Request& request) {
                   return Text{*in.text + (request.id().empty() ? "?" : "")};
               }).payload == said);
    BOOST_TEST(answerOf([](const Request& request) { return Text{std::string(request.payload().local())}; },
                        "<say xmlns='urn:test'/>")
                   .payload == "<ns2:sayResponse xmlns:ns2=\"urn:test\"><text>say</text></ns2:sayResponse>");
}

BOOST_AUTO_TEST_CASE(what_a_handler_throws_or_returns_becomes_the_fault) {
    isFault(answerOf([](const Text&) -> Text { throw std::runtime_error("broken"); }), POSTBUS_FAULT_RECEIVER,
            "broken");
    isFault(answerOf([](const Text&) -> Text { throw Fault::sender("your fault", "<a/>"); }), POSTBUS_FAULT_SENDER,
            "your fault", "<a/>");
    isFault(answerOf([](const Text&) -> Text { throw 7; }), POSTBUS_FAULT_RECEIVER,
            "the service threw something that is no std::exception");
    isFault(answerOf([](const Text&) -> Outcome<Text> { return Fault::receiver("closed", "<b/>"); }),
            POSTBUS_FAULT_RECEIVER, "closed", "<b/>");
    isFault(answerOf([](const Text&) -> Outcome<void> { return Fault::sender("no"); }), POSTBUS_FAULT_SENDER, "no");
}

BOOST_AUTO_TEST_CASE(a_request_that_does_not_fit_is_the_senders_fault) {
    const auto echo = [](const Text& in) { return in; };
    isFault(answerOf(echo, "<say xmlns='urn:test'><txt/></say>"), POSTBUS_FAULT_SENDER,
            "txt (line 1): unknown element; known are: text");
    isFault(answerOf(echo, "no XML at all"), POSTBUS_FAULT_SENDER, "this operation takes XML");
    isFault(answerOf([] { return Text{}; }, "<say xmlns='urn:test'><x/></say>"), POSTBUS_FAULT_SENDER,
            "x (line 1): unknown element; none belongs here");
}

BOOST_AUTO_TEST_CASE(an_answer_that_can_not_be_written_is_the_receivers_fault) {
    BOOST_TEST(answerOf([](const Text&) {
                   return Text{
                       "a\x0B"
                       "b"};
               }).code == POSTBUS_FAULT_RECEIVER);
    BOOST_TEST(rawAnswerOf([](Call self) {
                   self.start("urn:test", "sayResponse");
                   self.reply();
               }).code == POSTBUS_FAULT_RECEIVER);
}

BOOST_AUTO_TEST_CASE(an_unknown_operation_number_is_answered) {
    Running running([](Service& self) { self.operation("say", [] {}); });
    PluginCall call("<say xmlns='urn:test'/>");
    postbus_operation other = *running.host.find("say");
    other.id = 99;
    running.host.dispatch(call, other);
    isFault(call.answer(), POSTBUS_FAULT_RECEIVER, "the service knows no operation of that number");
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_the_answer_of_a_one_way_operation) {
    std::string got;
    Running running([&got](Service& self) { self.oneway("say", [&got](const Text& in) { got = *in.text; }); });
    const PluginAnswer answer = running.host.call("<say xmlns='urn:test'><text xmlns=''>x</text></say>");
    BOOST_TEST(!answer.fault);
    BOOST_TEST(answer.payload.empty());
    BOOST_TEST(got == "x");
}

BOOST_AUTO_TEST_CASE(a_robust_one_way_operation_is_done_or_fails) {
    Running running([](Service& self) {
        self.robust("say", [](const Text& in) -> postbus::Outcome<void> {
            if (*in.text == "bad") return postbus::Fault::sender("not that");
            return {};
        });
    });
    const PluginAnswer done = running.host.call("<say xmlns='urn:test'><text xmlns=''>good</text></say>");
    BOOST_TEST(!done.fault);
    BOOST_TEST(done.payload.empty());
    isFault(running.host.call("<say xmlns='urn:test'><text xmlns=''>bad</text></say>"), POSTBUS_FAULT_SENDER,
            "not that");
}

BOOST_AUTO_TEST_CASE(an_optional_answer_is_written_or_lacks) {
    Running running([](Service& self) {
        self.operation("say", [](const Text& in) -> std::optional<Text> {
            if (*in.text == "nothing") return std::nullopt;
            return in;
        });
    });
    const PluginAnswer none = running.host.call("<say xmlns='urn:test'><text xmlns=''>nothing</text></say>");
    BOOST_TEST(!none.fault);
    BOOST_TEST(none.payload.empty());
    BOOST_TEST(!running.host.call("<say xmlns='urn:test'><text xmlns=''>news</text></say>").payload.empty());
}

BOOST_AUTO_TEST_CASE(a_raw_handler_sees_the_message_and_writes_any_answer) {
    Running running([](Service& self) {
        self.any([](Call call) {
            call.setHeader("X-Seen", call.header("x-trace").value_or("none"));
            call.setContentType(call.contentType());
            BOOST_TEST(!call.header("absent"));
            BOOST_TEST(call.content().local() == "Body");
            call.start("urn:a", "answer", "a");
            call.declare("q", "urn:q");
            call.attribute("", "plain", "1");
            call.attribute("urn:b", "qualified", "<2>", "b");
            call.text("before ");
            call.copy(call.payload());
            call.copyContent(call.payload());
            call.end();
            call.reply();
        });
    });
    PluginCall call(
        "<e:Envelope xmlns:e='urn:e' xmlns:t='urn:t'><e:Body><t:x i='t:q'>1<!-- -->2<y/></t:x></e:Body></e:Envelope>",
        "text/xml; charset=utf-8");
    call.addHeader("X-Trace", "abc");

    running.host.dispatch(call);

    const PluginAnswer answer = call.answer();
    BOOST_TEST(!answer.fault, answer.reason);
    BOOST_TEST(answer.contentType == "text/xml; charset=utf-8");
    BOOST_REQUIRE(answer.headers.size() == 1u);
    BOOST_TEST(answer.headers[0].second == "abc");
    BOOST_TEST(answer.payload.starts_with("<a:answer xmlns:a=\"urn:a\" xmlns:q=\"urn:q\" plain=\"1\""));
    BOOST_TEST(answer.payload.find(">12<y/></t:x>12<y") != std::string::npos, answer.payload);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_no_xml_is_bytes) {
    Running running([](Service& self) {
        self.any([](Call call) {
            BOOST_TEST(!call.isXml());
            BOOST_TEST(!call.payload());
            call.setBytes(std::string(call.bytes()) + "!");
            call.setContentType("text/plain");
            call.reply();
        });
    });
    const PluginAnswer answer = running.host.call("not <xml");
    BOOST_TEST(answer.payload == "not <xml!");
    BOOST_TEST(answer.contentType == "text/plain");
}

BOOST_AUTO_TEST_CASE(a_deadline_is_a_time_of_the_steady_clock) {
    const auto look = [&](std::int64_t deadline) {
        std::optional<std::chrono::steady_clock::time_point> seen;
        Running running([&seen](Service& self) {
            self.any([&seen](Call call) {
                seen = call.deadline();
                call.reply();
            });
        });
        PluginCall call("<x/>");
        call.c()->deadline = deadline;
        running.host.dispatch(call);
        return seen;
    };
    BOOST_TEST(!look(0));
    BOOST_TEST(look(1'500'000'000)->time_since_epoch().count() == 1'500'000'000);
}

BOOST_AUTO_TEST_CASE(a_dropped_call_answers_itself) {
    isFault(rawAnswerOf([](Call) {}), POSTBUS_FAULT_RECEIVER, "the service dropped the request without an answer");
    isFault(rawAnswerOf([](Call call) { Call other = std::move(call); }), POSTBUS_FAULT_RECEIVER,
            "the service dropped the request without an answer");
}

BOOST_AUTO_TEST_CASE(a_call_is_answered_once_whatever_happens_afterwards) {
    BOOST_TEST(rawAnswerOf([](Call call) {
                   call.reply(Text{"x"});
                   BOOST_TEST(!call);
                   throw std::runtime_error("too late");
               }).payload == said);
    isFault(rawAnswerOf([](Call call) {
                call.start("", "half");
                call.fail(Fault::sender("no"));
            }),
            POSTBUS_FAULT_SENDER, "no");
}

BOOST_AUTO_TEST_CASE(a_raw_handler_that_throws_tells_what) {
    isFault(rawAnswerOf([](Call) { throw std::runtime_error("broken"); }), POSTBUS_FAULT_RECEIVER, "broken");
    isFault(rawAnswerOf([](Call call) {
                const Call mine = std::move(call);
                throw Fault::sender("your fault", "<a/>");
            }),
            POSTBUS_FAULT_SENDER, "your fault", "<a/>");
    isFault(rawAnswerOf([](Call call) {
                try {
                    const Call inner = std::move(call);
                    throw std::runtime_error("caught inside");
                } catch (const std::exception&) {
                }
            }),
            POSTBUS_FAULT_RECEIVER, "the service dropped the request without an answer");
}

BOOST_AUTO_TEST_CASE(a_call_may_be_answered_later_by_another_thread) {
    std::thread later;
    const auto handler = [&later](Call call) {
        later = std::thread([call = std::move(call)]() mutable {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            call.reply(Text{"x"});
        });
        throw std::runtime_error("the call is in other hands already");
    };
    BOOST_TEST(rawAnswerOf(handler).payload == said);
    later.join();
}

BOOST_AUTO_TEST_CASE(assigning_over_a_call_drops_the_one_that_was_there) {
    std::optional<Call> kept;
    Running running([&kept](Service& self) {
        self.raw("say", [&kept](Call call) {
            if (kept)
                *kept = std::move(call);
            else
                kept.emplace(std::move(call));
        });
    });
    PluginCall first("<say xmlns='urn:test'/>"), second("<say xmlns='urn:test'/>");
    running.host.dispatch(first);
    BOOST_TEST(first.answers() == 0);
    running.host.dispatch(second);
    BOOST_TEST(first.answers() == 1);
    BOOST_TEST(first.answer().fault);
    BOOST_TEST(second.answers() == 0);
    kept->reply();
    BOOST_TEST(second.answers() == 1);
}

BOOST_AUTO_TEST_CASE(a_raw_handler_may_read_and_answer_with_structs) {
    const auto handler = [](Call call) {
        auto in = call.read<Text>();
        if (!in) return call.fail(in.fault());
        call.reply(*in);
    };
    BOOST_TEST(rawAnswerOf(handler, "<say xmlns='urn:test'><text xmlns=''>x</text></say>").payload == said);
    isFault(rawAnswerOf(handler, "<say xmlns='urn:test'><txt/></say>"), POSTBUS_FAULT_SENDER,
            "txt (line 1): unknown element; known are: text");
    BOOST_TEST(rawAnswerOf(handler, "bytes").reason == "this operation takes XML");
}

BOOST_AUTO_TEST_SUITE_END()
