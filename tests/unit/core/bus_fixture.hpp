#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/timer_wheel.hpp"
#include "core/bus.hpp"

namespace postbus::core {

/// A loop that runs when it is told to, on the thread that made it: what is posted from elsewhere waits until turn().
class HandLoop : public Executor {
public:
    void post(std::function<void()> task) override {
        std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        wake_.notify_all();
    }
    bool here() const override { return std::this_thread::get_id() == owner_; }
    void setTimer(Timer& timer, TimePoint when) override { wheel.set(timer, when); }
    void cancelTimer(Timer& timer) override { wheel.cancel(timer); }
    TimerWheel wheel{Clock::now()};  ///< a test advances it

    /// Waits for one task and runs it.
    void turn() {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return !tasks_.empty(); });
        auto task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
    }

private:
    std::thread::id owner_ = std::this_thread::get_id();
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
};

/// A caller that remembers what it was told.
struct Caller : Replier {
    void answer(WireAnswer&& given) override {
        ++answers;
        status = given.status;
        body = given.body.view();
        requestId = given.requestId;
        retryAfter = given.retryAfter;
        for (const auto& [name, value] : given.headers)
            if (name == "Allow") allow = value;
    }
    int answers = 0, status = 0;
    std::string body, requestId, allow;
    std::chrono::seconds retryAfter{0};
};

/// The plainest binding: the body is the payload, the whole of it text; faults are "fault: REASON".
class PlainBinding : public Binding {
public:
    explicit PlainBinding(const wsdl::Contract& contract) : contract_(contract) {}

    bool claims(const RequestHead& head) const override { return head.method == "POST"; }
    std::string_view methods() const override { return "POST"; }
    Result<void> read(Exchange& exchange) const override {
        if (exchange.request().body == "unreadable") return Error::invalid("it can't be read");
        return ok();
    }
    Result<void> unwrap(Exchange& exchange) const override {
        const std::string_view body = exchange.request().body;
        const wsdl::Operation* operation = contract_.find(contract_.ns, body.substr(0, body.find(' ')));
        if (!operation) return Error::invalid("no such operation");
        exchange.identify(*operation, POSTBUS_NO_NODE, POSTBUS_NO_NODE);
        return ok();
    }
    void prepare(Exchange& exchange) const override { exchange.draft().bytes.clear(transportHeadroom); }
    Result<void> write(Exchange& exchange, WireAnswer& answer) const override {
        if (exchange.draft().bytes.view() == "unwritable") return Error::internal("it can't be written");
        answer.body = std::move(exchange.draft().bytes);
        return ok();
    }
    WireAnswer writeFault(const RequestHead&, const Exchange*, const Fault& fault, std::string_view,
                          Buffer memory) const override {
        WireAnswer answer;
        answer.status = httpStatus(fault.kind);
        memory.clear(transportHeadroom);
        memory.append("fault: ");
        memory.append(fault.reason);
        answer.body = std::move(memory);
        return answer;
    }

private:
    const wsdl::Contract& contract_;
};

/// An endpoint that does with an exchange what the test says.
class ScriptedEndpoint : public Endpoint {
public:
    ScriptedEndpoint() {
        contract_.name = "Scripted";
        add("now", true);
        add("pooled", false);
        for (const bool nonblocking : {true, false}) {
            const std::string end = nonblocking ? "" : "-pooled";
            add("only" + end, nonblocking, Pattern::InOnly);
            add("robust" + end, nonblocking, Pattern::RobustInOnly);
            add("optional" + end, nonblocking, Pattern::InOptionalOut);
        }
    }
    void process(ExchangePtr exchange) override { onProcess(std::move(exchange)); }
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return "Scripted"; }

    std::function<void(ExchangePtr)> onProcess = [](ExchangePtr exchange) {
        exchange->draft().bytes.append("done");
        Exchange::reply(std::move(exchange));
    };

private:
    void add(std::string name, bool nonblocking, Pattern pattern = Pattern::InOut) {
        wsdl::Operation operation;
        operation.mep = static_cast<std::uint32_t>(pattern);
        operation.name = operation.inElement = std::move(name);
        operation.nonblocking = nonblocking;
        contract_.operations.push_back(std::move(operation));
    }
    wsdl::Contract contract_;
};

/// A bus with one scripted endpoint at /it, and a way to ask it.
struct BusFixture {
    BusFixture() {
        endpoint = std::make_shared<ScriptedEndpoint>();
        publish({});
    }
    ~BusFixture() { bus.workers().stop(); }

    void publish(RouteLimits limits, Dispatch dispatch = Dispatch::Declared) {
        auto table = std::make_shared<RouteTable>();
        Route route;
        route.name = "It";
        route.path = "/it";
        route.endpoint = endpoint;
        route.bindings.push_back(std::make_shared<PlainBinding>(endpoint->contract()));
        route.limits = limits;
        route.dispatch = dispatch;
        BOOST_REQUIRE(table->add(std::move(route)));
        bus.publish(std::move(table));
    }

    WireRequest request(std::string_view body, std::string_view method = "POST", std::string_view path = "/it") {
        WireRequest made;
        for (const std::string_view part : {method, path, body}) made.memory.append(part);
        std::string_view all = made.memory.view();
        made.head.method = all.substr(0, method.size());
        made.head.path = all.substr(method.size(), path.size());
        made.body = all.substr(method.size() + path.size());
        return made;
    }

    ExchangeRef ask(Caller& caller, std::string_view body, milliseconds limit = milliseconds(0)) {
        WireRequest made = request(body);
        Admission admission = bus.port().admit(made.head);
        BOOST_REQUIRE(bus.port().check(admission, made.head));
        // The caller outlives the exchange: it is the test's.
        return bus.port().receive(pool, std::move(admission), made,
                                  ReplyTo(std::shared_ptr<Replier>(std::shared_ptr<void>(), &caller)), limit);
    }

    HandLoop loop;
    Bus bus{2, 1};
    ExchangePool pool{loop};
    std::shared_ptr<ScriptedEndpoint> endpoint;
};

}  // namespace postbus::core
