// A service that calls others: each way to do so, and loops for the bench.
#include <postbus/plugin.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr std::string_view hello = "http://cxf.examples.servicemix.apache.org/";

struct SayHi {
    std::optional<std::string> arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct SayHiResponse {
    std::optional<std::string> result;
    static constexpr auto fields() { return std::tuple{postbus::field("return", &SayHiResponse::result)}; }
};

struct Ask {
    std::string endpoint, text;
    std::optional<std::int32_t> milliseconds;
    static constexpr auto fields() {
        return std::tuple{postbus::field("endpoint", &Ask::endpoint), postbus::field("text", &Ask::text),
                          postbus::field("milliseconds", &Ask::milliseconds)};
    }
};
struct Told {
    std::string text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Told::text)}; }
};
struct Batch {
    std::vector<SayHi> sayHi;
    static constexpr auto fields() { return std::tuple{postbus::field("sayHi", &Batch::sayHi)}; }
};
constexpr std::int32_t writtenAtOnce = 1'000;
struct Loop {
    std::int32_t times = 0;
    static constexpr auto fields() { return std::tuple{postbus::field("times", &Loop::times)}; }
};

class Caller : public postbus::Service {
public:
    void start() override {
        raw<Ask, Told>("ask", postbus::nonblocking, [this](postbus::Call call) { ask(std::move(call)); });
        operation("wait", [this](const Ask& in, const postbus::Request& request) { return wait(in, request); });
        operation("waitOnLoop", postbus::nonblocking,
                  [this](const Ask& in, const postbus::Request& request) { return wait(in, request); });
        raw("pass", postbus::nonblocking, [this](postbus::Call call) { pass(std::move(call)); });
        raw("waitAndPass", [this](postbus::Call call) { waitAndPass(std::move(call)); });
        raw<Loop, Told>("loop", postbus::nonblocking, [this](postbus::Call call) { loop(std::move(call)); });
        operation("write", postbus::nonblocking,
                  [this](const Loop& in, const postbus::Request& request) { return write(in, request); });
    }

private:
    /// Answers when the other has.
    void ask(postbus::Call call) const {
        const auto in = call.read<Ask>();
        if (!in) return call.fail(in.fault());
        auto request = invoke(call, in->endpoint)
                           .with(hello, "sayHi", SayHi{in->text})
                           .within(in->milliseconds.value_or(30'000) * 1ms);
        std::move(request).then([call = std::move(call)](const postbus::Reply& reply) mutable {
            const auto answer = reply.read<SayHiResponse>();
            if (!answer) return call.fail(answer.fault());
            call.reply(Told{answer->result.value_or("")});
        });
    }

    postbus::Outcome<Told> wait(const Ask& in, const postbus::Request& request) const {
        const auto answer = invoke(request, in.endpoint).with(hello, "sayHi", SayHi{in.text}).get<SayHiResponse>();
        if (!answer) return answer.fault();
        return Told{answer->result.value_or("")};
    }

    /// What is inside of the payload, to the endpoint that its attribute names; the answer as it is.
    void pass(postbus::Call call) const {
        const std::string to(call.payload().attribute("", "to").value_or(""));
        const postbus::Element inner = call.payload().firstChild();
        if (!inner) return call.fail(postbus::Fault::sender("nothing to pass on"));
        auto request = invoke(call, to).with(inner);
        std::move(request).then([call = std::move(call)](const postbus::Reply& reply) mutable {
            if (reply.isFault()) return call.fail(reply.fault());
            call.start("urn:postbus:test:caller", "passResponse", "c");
            if (reply.payload()) call.copy(reply.payload());
            call.end();
            call.reply();
        });
    }

    /// The same on a worker, which waits for the other.
    void waitAndPass(postbus::Call call) const {
        const std::string to(call.payload().attribute("", "to").value_or(""));
        invoke(call, to).with(call.payload().firstChild()).wait([&call](const postbus::Reply& reply) {
            if (reply.isFault()) return call.fail(reply.fault());
            call.start("urn:postbus:test:caller", "waitAndPassResponse", "c");
            if (reply.payload()) call.copy(reply.payload());
            call.end();
            call.reply();
        });
    }

    /// So many calls of HelloWorld, one after the other; the text of the last answer. Its own until that has come.
    struct Round {
        const Caller& caller;
        postbus::Call call;
        std::int32_t left;
        bool calling = false, answeredWithin = false;
    };
    void loop(postbus::Call call) const {
        const auto in = call.read<Loop>();
        if (!in) return call.fail(in.fault());
        turn(new Round{*this, std::move(call), in->times});
    }
    // An answer may come within then(): a loop instead of a recursion as deep as it is long.
    static void turn(Round* round) {
        for (bool again = true; again;) {
            round->calling = true;
            round->answeredWithin = false;
            round->caller.invoke(round->call, "HelloWorld")
                .with(hello, "sayHi", SayHi{"World"})
                .then([round](const postbus::Reply& reply) {
                    round->answeredWithin = round->calling;
                    const bool last = --round->left <= 0 || !reply.isAnswer();
                    if (last) over(round->call, reply);
                    if (!round->calling) last ? delete round : turn(round);
                });
            // Deleted in there only while `calling` is not set.
            round->calling = false;  // NOLINT(clang-analyzer-cplusplus.NewDelete)
            again = round->answeredWithin && round->call;
            if (!round->call) delete round;
        }
    }
    /// The requests of so many calls, many in one message and never sent: what writing them takes.
    Told write(const Loop& in, const postbus::Request& request) const {
        const Batch batch{std::vector<SayHi>(writtenAtOnce, SayHi{"World"})};
        for (std::int32_t left = in.times; left > 0; left -= writtenAtOnce)
            (void)invoke(request, "HelloWorld").with(hello, "batch", batch);
        return {"written"};
    }
    static void over(postbus::Call& call, const postbus::Reply& last) {
        const auto answer = last.read<SayHiResponse>();
        if (!answer) return call.fail(answer.fault());
        call.reply(Told{answer->result.value_or("")});
    }
};

}  // namespace

POSTBUS_SERVICE(Caller, .name = "Caller", .ns = "urn:postbus:test:caller", .path = "/test/caller")
