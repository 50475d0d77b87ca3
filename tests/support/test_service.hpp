#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/bus.hpp"

namespace postbus::test {

/// A service of the plainest kind, for tests of the transport. The first word of the body says what it does:
/// "echo" answers the body at once, "pool" from a worker, "slow" from a worker when release() is called, "big N"
/// answers N bytes, "open" begins a stream that neither goes on nor ends, "head" tells what the transport made of the
/// head, "lost" drops the exchange. An empty body is echoed.
class TestEndpoint : public core::Endpoint {
public:
    TestEndpoint() {
        contract_.name = "Test";
        contract_.ns = "urn:test";
        for (const bool nonblocking : {true, false}) {
            wsdl::Operation operation;
            operation.name = operation.inElement = nonblocking ? "now" : "later";
            operation.nonblocking = nonblocking;
            contract_.operations.push_back(operation);
        }
    }

    void process(core::ExchangePtr exchange) override {
        if (!exchange->tape().empty()) return processElement(std::move(exchange));
        const std::string_view body = exchange->request().body;
        const std::string_view word = body.substr(0, body.find(' '));
        Buffer& out = exchange->draft().bytes;
        if (word == "lost") return;
        if (word == "slow") waitForRelease();
        if (word == "fail") return core::Exchange::fail(std::move(exchange), Error::internal("it failed"));
        if (word == "big") {
            const auto size = static_cast<std::size_t>(std::stoul(std::string(body.substr(4))));
            std::memset(out.prepare(size), 'x', size);
            out.commit(size);
        } else if (word == "open") {
            exchange->draft().stream = std::make_shared<core::BodyPipe>();
            exchange->draft().stream->producedBy(&open_);
        } else if (word == "head") {
            describe(exchange->request().head, out);
        } else {
            out.append(body);
        }
        core::Exchange::reply(std::move(exchange));
    }
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return "Test"; }

    const wsdl::Operation& operation(bool nonblocking) const { return contract_.operations[nonblocking ? 0 : 1]; }
    void release() {
        std::lock_guard lock(mutex_);
        released_ = true;
        wake_.notify_all();
    }
    /// Answers of "open" that nobody takes from any more.
    int closedStreams() const { return open_.closed; }
    void waitUntilHeld(int count = 1) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return held_ >= count; });
    }

private:
    struct Open final : core::BodyPipe::Producer {
        void onRoom() override {}
        void onClosed() override { ++closed; }
        std::atomic<int> closed{0};
    };

    /// From inside of the bus: what is the body elsewhere is the text of the element.
    void processElement(core::ExchangePtr exchange) {
        const std::string body = exchange->payload().text();
        const std::string_view word = std::string_view(body).substr(0, body.find(' '));
        if (word == "lost") return;
        if (word == "slow") waitForRelease();
        if (word == "fail") return core::Exchange::fail(std::move(exchange), Error::internal("it failed"));
        core::PayloadWriter& out = exchange->draft().writer;
        out.start("urn:test", "said");
        out.text(body);
        out.end();
        core::Exchange::reply(std::move(exchange));
    }
    void waitForRelease() {
        std::unique_lock lock(mutex_);
        ++held_;
        wake_.notify_all();
        wake_.wait(lock, [this] { return released_; });
    }
    static void describe(const core::RequestHead& head, Buffer& out) {
        const auto line = [&](std::string_view name, std::string_view value) {
            out.append(name);
            out.append('=');
            out.append(value);
            out.append('\n');
        };
        line("method", head.method);
        line("path", head.path);
        line("query", head.query);
        line("type", head.contentType);
        line("scheme", head.scheme);
        line("host", head.host);
        line("peer", head.peer);
        line("listener", head.listener);
        line("local", head.local ? "yes" : "no");
        for (const auto& each : head.headers) line(each.name, each.value);
    }

    wsdl::Contract contract_;
    Open open_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool released_ = false;
    int held_ = 0;
};

/// Bodies as they are; a fault is the text "fault: REASON". Takes POST of any type but "bad/type", and GET.
class TestBinding : public core::Binding {
public:
    explicit TestBinding(const TestEndpoint& endpoint) : endpoint_(endpoint) {}

    bool claims(const core::RequestHead& head) const override {
        return head.method == "POST" || head.method == "GET" || head.method == "HEAD";
    }
    std::string_view methods() const override { return "GET, HEAD, POST"; }
    Result<void> inspect(const core::RequestHead& head) const override {
        if (head.contentType == "bad/type") return Error(Error::Kind::Unsupported, "this type is not taken");
        return ok();
    }
    Result<void> read(core::Exchange& exchange) const override {
        if (exchange.request().body == "unreadable") return Error::invalid("it can't be read");
        return ok();
    }
    Result<void> unwrap(core::Exchange& exchange) const override {
        const std::string_view body = exchange.request().body;
        const bool later = body.substr(0, 4) == "pool" || body.substr(0, 4) == "slow";
        exchange.identify(endpoint_.operation(!later), POSTBUS_NO_NODE, POSTBUS_NO_NODE);
        return ok();
    }
    void prepare(core::Exchange& exchange) const override { exchange.draft().bytes.clear(core::transportHeadroom); }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        answer.contentType = "text/plain";
        answer.body = std::move(exchange.draft().bytes);
        answer.stream = std::move(exchange.draft().stream);
        return ok();
    }
    core::WireAnswer writeFault(const core::RequestHead&, const core::Exchange*, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        core::WireAnswer answer;
        answer.status = core::httpStatus(fault.kind);
        answer.contentType = "text/plain";
        memory.clear(core::transportHeadroom);
        memory.append("fault: ");
        memory.append(fault.reason);
        memory.append(' ');
        memory.append(requestId);
        answer.body = std::move(memory);
        return answer;
    }

private:
    const TestEndpoint& endpoint_;
};

}  // namespace postbus::test
