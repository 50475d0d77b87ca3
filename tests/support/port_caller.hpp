#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "base/timer_wheel.hpp"
#include "core/endpoint/endpoint.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/exchange/worker_pool.hpp"
#include "core/port/inbound_port.hpp"

namespace postbus::test {

/// The calling thread as a loop: what is posted runs at run().
class ThisThread : public Executor {
public:
    void post(std::function<void()> task) override { tasks_.push_back(std::move(task)); }
    bool here() const override { return true; }
    void setTimer(Timer& timer, TimePoint when) override { wheel.set(timer, when); }
    void cancelTimer(Timer& timer) override { wheel.cancel(timer); }
    TimerWheel wheel{Clock::now()};  ///< a test advances it
    void run() {
        while (!tasks_.empty()) {
            auto task = std::move(tasks_.front());
            tasks_.pop_front();
            task();
        }
    }

private:
    std::deque<std::function<void()>> tasks_;
};

/// An endpoint that is a function.
class FunctionEndpoint : public core::Endpoint {
public:
    using Handler = std::function<void(core::ExchangePtr)>;
    FunctionEndpoint(wsdl::Contract contract, Handler handler)
        : contract_(std::move(contract)), handler_(std::move(handler)) {}

    void process(core::ExchangePtr exchange) override { handler_(std::move(exchange)); }
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return contract_.name; }

private:
    wsdl::Contract contract_;
    Handler handler_;
};

/// A request as a test writes it.
struct Request {
    std::string method = "POST", path = "/cxf/HelloWorld", query, contentType = "text/xml; charset=utf-8";
    std::string host = "localhost:8181", scheme = "http", body;
    std::vector<std::pair<std::string, std::string>> headers;

    core::WireRequest wire() const {
        core::WireRequest request;
        request.head.method = method;
        request.head.path = path;
        request.head.query = query;
        request.head.contentType = contentType;
        request.head.scheme = scheme;
        request.head.host = host;
        request.head.listener = "test";
        for (const auto& [name, value] : headers) request.head.headers.add(name, value);
        request.body = body;
        return request;
    }
};

/// An answer, kept.
struct Answer {
    int status = 0;
    std::string contentType, body, requestId, operation, fault;
    std::chrono::seconds retryAfter{0};
    std::vector<std::pair<std::string, std::string>> headers;

    std::string header(std::string_view name) const {
        for (const auto& [its, value] : headers)
            if (core::sameName(its, name)) return value;
        return {};
    }
};

class Recorder : public core::Replier {
public:
    void answer(core::WireAnswer&& given) override {
        ++count;
        last = {given.status,
                std::string(given.contentType),
                std::string(given.body.view()),
                std::string(given.requestId),
                std::string(given.operation),
                std::string(given.fault),
                given.retryAfter,
                std::move(given.headers)};
    }
    Answer last;
    int count = 0;
};

/// The least that a transport is: an InboundPort with one route, called on this thread.
class PortCaller {
public:
    PortCaller(std::shared_ptr<core::Endpoint> endpoint, std::vector<std::shared_ptr<const core::Binding>> bindings,
               std::shared_ptr<const core::Chain> chain = nullptr)
        : workers_(1, 16), port_(routes_, workers_), pool_(loop_) {
        auto table = std::make_shared<core::RouteTable>();
        core::Route route;
        route.name = std::string(endpoint->name());
        route.path = "/cxf/HelloWorld";
        route.endpoint = std::move(endpoint);
        route.bindings = std::move(bindings);
        route.chain = std::move(chain);
        (void)table->add(std::move(route));
        routes_.set(std::move(table));
    }

    /// As a transport does it: what can be said from the head is said before the body is read.
    Answer call(const Request& request) {
        core::WireRequest wire = request.wire();
        core::Admission admission = port_.admit(wire.head);
        if (auto checked = port_.check(admission, wire.head); !checked)
            return refuse(admission, wire.head, std::move(checked).error());
        auto recorder = std::make_shared<Recorder>();
        port_.receive(pool_, std::move(admission), wire, core::ReplyTo(recorder), milliseconds(0));
        loop_.run();
        return recorder->last;
    }

    /// What a transport turns away itself.
    Answer refused(const Request& request, Error error) {
        const core::WireRequest wire = request.wire();
        return refuse(port_.admit(wire.head), wire.head, std::move(error));
    }

    core::InboundPort& port() { return port_; }
    core::ExchangePool& pool() { return pool_; }
    ThisThread& loop() { return loop_; }

private:
    Answer refuse(const core::Admission& admission, const core::RequestHead& head, Error error) {
        Recorder recorder;
        recorder.answer(port_.refuse(admission, head, std::move(error), "refused-1", Buffer()));
        return recorder.last;
    }

    Snapshot<core::RouteTable> routes_;
    core::WorkerPool workers_;
    core::InboundPort port_;
    ThisThread loop_;
    core::ExchangePool pool_;
};

}  // namespace postbus::test
