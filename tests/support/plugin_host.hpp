#pragma once

#include <postbus/abi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "formats/xml/tape.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::test {

/// How a call ended.
struct PluginAnswer {
    bool fault = false;
    std::uint32_t code = 0;
    std::string reason, detail;
    std::string payload;  ///< as written; for bytes that were set, those
    std::string contentType;
    std::vector<std::pair<std::string, std::string>> headers;
};

/// One request as a plugin sees it, and what became of it. Outlives its answer: a second one is counted, not lost.
class PluginCall {
public:
    /// XML, with its payload found as a SOAP binding would: an Envelope's Body's first element, else the root. Text
    /// that is no XML is lent as bytes.
    explicit PluginCall(std::string_view message, std::string_view contentType = "text/xml; charset=utf-8");

    postbus_call* c() { return &lent_.c; }
    static PluginCall& of(const postbus_call* call) { return *reinterpret_cast<const Lent*>(call)->self; }

    void addHeader(std::string name, std::string value) {
        requestHeaders_.emplace_back(std::move(name), std::move(value));
    }
    Element payload() const { return {tape_.view(), lent_.c.payload}; }

    int answers() const { return answers_; }
    /// Waits until it has been answered; throws std::runtime_error after `limit`.
    PluginAnswer answer(std::chrono::milliseconds limit = std::chrono::seconds(10));

private:
    friend struct HostFunctions;
    // Found again from the pointer that the plugin hands back.
    struct Lent {
        postbus_call c{};
        PluginCall* self = nullptr;
    };
    void findPayload();
    void complete(const postbus_fault* fault);

    Lent lent_;
    std::string id_, bytes_, contentType_;
    std::vector<std::pair<std::string, std::string>> requestHeaders_;
    xml::Tape tape_;
    Buffer out_;
    xml::Writer writer_;
    bool raw_ = false;
    std::mutex mutex_;
    PluginAnswer answer_;
    std::atomic<int> answers_{0};
};

/// The bus's side of one service, small: what a plugin needs to live, without transports, routing or threads.
class PluginHost {
public:
    struct LogLine {
        int level;
        std::string text;
    };

    explicit PluginHost(const postbus_service& service) : service_(service) {}
    /// Stops and destroys what is still there.
    ~PluginHost();
    PluginHost(const PluginHost&) = delete;
    PluginHost& operator=(const PluginHost&) = delete;

    bool create();
    bool start();
    void stop();
    void destroy();
    /// What health() says; true where there is nothing to ask.
    bool healthy() const { return !service_.health || service_.health(self_) == 0; }

    const std::vector<const postbus_operation*>& operations() const { return operations_; }
    const postbus_operation* find(std::string_view name) const;
    std::vector<LogLine> log() const;
    /// From then on define says no.
    void refuseOperations() { refuses_ = true; }

    /// Hands the request to the operation of its payload (else to ANY, else to the first); returns when handle returns.
    void dispatch(PluginCall& call);
    /// Hands it to that operation, whatever the payload says.
    void dispatch(PluginCall& call, const postbus_operation& operation);
    /// Dispatches and waits for the answer.
    PluginAnswer call(std::string_view message);

    /// The table that services are given.
    static const postbus_host& table();

private:
    friend struct HostFunctions;
    const postbus_service& service_;
    void* self_ = nullptr;
    bool started_ = false, starting_ = false, refuses_ = false;
    std::vector<const postbus_operation*> operations_;
    mutable std::mutex mutex_;
    std::vector<LogLine> log_;
};

}  // namespace postbus::test
