// Coroutines in all their ways of waiting and of ending, and calls that learn of their cancellation.
#include <postbus/plugin.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

using namespace std::chrono_literals;
using postbus::Task;

constexpr std::string_view hello = "http://cxf.examples.servicemix.apache.org/";

struct SayHi {
    std::optional<std::string> arg0;
    static constexpr auto fields() { return std::tuple{postbus::field("arg0", &SayHi::arg0)}; }
};
struct SayHiResponse {
    std::optional<std::string> result;
    static constexpr auto fields() { return std::tuple{postbus::field("return", &SayHiResponse::result)}; }
};
struct In {
    std::string text;
    std::optional<std::int32_t> number;
    static constexpr auto fields() {
        return std::tuple{postbus::field("text", &In::text), postbus::field("number", &In::number)};
    }
};
struct Out {
    std::string text;
    static constexpr auto fields() { return std::tuple{postbus::field("text", &Out::text)}; }
};
struct Counts {
    std::int32_t alive = 0, held = 0, cancelled = 0, resumed = 0;
    static constexpr auto fields() {
        return std::tuple{postbus::field("alive", &Counts::alive), postbus::field("held", &Counts::held),
                          postbus::field("cancelled", &Counts::cancelled), postbus::field("resumed", &Counts::resumed)};
    }
};

class Tasks : public postbus::Service {
public:
    void start() override {
        const auto coroutine = [this](std::string_view name, auto method) {
            operation(name, postbus::nonblocking, [this, method](const In& in, const postbus::Request& request) {
                return (this->*method)(in, request);
            });
        };
        coroutine("wait", &Tasks::wait);
        coroutine("throwLater", &Tasks::throwLater);
        coroutine("throwAtOnce", &Tasks::throwAtOnce);
        coroutine("maybe", &Tasks::maybe);
        coroutine("outcome", &Tasks::outcome);
        coroutine("many", &Tasks::many);
        coroutine("worker", &Tasks::worker);
        coroutine("ask", &Tasks::ask);
        coroutine("askWorker", &Tasks::askWorker);
        raw<In, Out>("rawLater", postbus::nonblocking,
                     [this](postbus::Call call) { return rawLater(std::move(call)); });
        raw<In, Out>("rawThrows", postbus::nonblocking,
                     [this](postbus::Call call) { return rawThrows(std::move(call)); });
        oneway("note", postbus::nonblocking, [this](const In& in, const postbus::Request& request) -> Task<> {
            co_await pause(request, in.number.value_or(0) * 1ms);
            ++resumed_;
        });
        raw<In, Out>("hold", postbus::nonblocking, [this](postbus::Call call) { hold(std::move(call)); });
        operation("stop", [this](const In&, const postbus::Request& request) { return stopToken(request); });
        operation("counts", postbus::nonblocking, [this] { return Counts{alive_, held_, cancelled_, resumed_}; });
    }

private:
    /// A local of each coroutine: how many there are.
    class Alive {
    public:
        explicit Alive(std::atomic<int>& count) : count_(count) { ++count_; }
        ~Alive() { --count_; }
        Alive(const Alive&) = delete;
        Alive& operator=(const Alive&) = delete;

    private:
        std::atomic<int>& count_;
    };

    Task<Out> wait(const In& in, const postbus::Request& request) const {
        const Alive alive(alive_);
        co_await pause(request, in.number.value_or(0) * 1ms);
        ++resumed_;
        co_return Out{"waited for " + in.text};
    }
    Task<Out> throwLater(const In& in, const postbus::Request& request) const {
        const Alive alive(alive_);
        co_await pause(request, 1ms);
        throw std::runtime_error("broken: " + in.text);
    }
    Task<Out> throwAtOnce(const In& in, const postbus::Request&) const {
        const Alive alive(alive_);
        if (!in.text.empty()) throw postbus::Fault::sender("your fault: " + in.text, "<why xmlns='urn:w'/>");
        co_return Out{};
    }
    Task<std::optional<Out>> maybe(const In& in, const postbus::Request& request) const {
        co_await pause(request, 1ms);
        if (in.text.empty()) co_return std::nullopt;
        co_return Out{in.text};
    }
    Task<postbus::Outcome<Out>> outcome(const In& in, const postbus::Request& request) const {
        co_await onWorker();
        co_await pause(request, 1ms);
        if (in.text.empty()) co_return postbus::Fault::sender("nothing");
        co_return Out{in.text};
    }
    /// So many calls that are answered at once, each from a coroutine of its own.
    Task<Out> many(const In& in, const postbus::Request& request) const {
        const Alive alive(alive_);
        std::string last;
        for (std::int32_t left = in.number.value_or(0); left > 0; --left) last = co_await greet(in.text, request);
        co_return Out{last};
    }
    Task<std::string> greet(const std::string& name, const postbus::Request& request) const {
        const Alive alive(alive_);
        auto call = invoke(request, "HelloWorld").with(hello, "sayHi", SayHi{name});
        const auto answer = co_await call.async<SayHiResponse>();
        if (!answer) throw answer.fault();
        co_return answer->result.value_or("");
    }
    /// On a worker it may wait as others do, and a call from there is answered on the loop.
    Task<Out> worker(const In& in, const postbus::Request& request) const {
        const Alive alive(alive_);
        co_await onWorker();
        const auto waited = invoke(request, "HelloWorld").with(hello, "sayHi", SayHi{in.text}).get<SayHiResponse>();
        if (!waited) throw waited.fault();
        std::string text = waited->result.value_or("");
        for (int i = 0; i < 20; ++i) {
            co_await onWorker();
            text = co_await greet(in.text, request);
        }
        co_return Out{text};
    }
    Task<Out> ask(const In& in, const postbus::Request& request) const {
        const Alive alive(alive_);
        auto call = invoke(request, in.text).with(ns, "hold", In{"held", {}});
        const std::string answered = "answered, and too long for a small string";
        const auto look = [this, answered](const postbus::Reply& reply) {
            ++resumed_;
            return reply.isFault() ? reply.fault().reason : answered;
        };
        const auto answer = co_await call.async(look);
        ++resumed_;
        co_return Out{answer};
    }
    Task<Out> askWorker(const In& in, const postbus::Request& request) const {
        const Alive alive(alive_);
        co_await onWorker();
        co_return co_await ask(in, request);
    }

    Task<> rawLater(postbus::Call call) const {
        const Alive alive(alive_);
        const auto in = call.read<In>();
        co_await pause(call, 1ms);
        if (!in) co_return call.fail(in.fault());
        if (in->text == "dropped") co_return;
        call.reply(Out{in->text});
        if (in->text == "goes on") {
            co_await onWorker();
            ++resumed_;
        }
    }
    Task<> rawThrows(postbus::Call call) const {
        const Alive alive(alive_);
        co_await pause(call, 1ms);
        throw std::runtime_error("raw and broken");
    }

    /// Is answered when it is cancelled, and not before.
    struct Held {
        postbus::Call call;
        const Tasks& tasks;
        std::atomic<int> ready{0};  // the one that comes second ends it: it is watched, it is cancelled
        std::optional<postbus::OnCancel<std::function<void()>>> watch{};

        void end() {
            if (ready.fetch_add(1) == 0) return;
            const std::unique_ptr<Held> mine(this);
            --tasks.held_;
            ++tasks.cancelled_;
            call.fail(postbus::Fault::receiver("cancelled"));
        }
    };
    void hold(postbus::Call call) const {
        ++held_;
        auto* const held = new Held{std::move(call), *this};
        held->watch.emplace(held->call, [held] { held->end(); });
        held->end();
    }
    /// Waits on a worker until it is cancelled.
    Out stopToken(const postbus::Request& request) const {
        const Alive alive(alive_);
        const postbus::StopOnCancel stop(request);
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait(lock, stop.token(), [] { return false; });
        ++cancelled_;
        return Out{"stopped"};
    }

    static constexpr std::string_view ns = "urn:postbus:test:tasks";
    mutable std::atomic<int> alive_{0}, held_{0}, cancelled_{0}, resumed_{0};
};

}  // namespace

POSTBUS_SERVICE(Tasks, .name = "Tasks", .ns = "urn:postbus:test:tasks", .path = "/test/tasks")
