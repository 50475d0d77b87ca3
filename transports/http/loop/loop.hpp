#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/bump.hpp"
#include "base/executor.hpp"
#include "base/timer_wheel.hpp"
#include "core/bus.hpp"
#include "transports/http/client/client_pool.hpp"
#include "transports/http/connection/request_slot.hpp"
#include "transports/http/loop/access_lines.hpp"
#include "transports/http/loop/poller.hpp"
#include "transports/http/message/answer_head.hpp"

namespace postbus::http {

class Acceptor;
class Connection;
class HttpClient;

/// Figures of one loop: written by it alone, read by anyone.
struct LoopCounters {
    std::atomic<std::uint64_t> accepted{0}, requests{0}, refused{0};
    std::atomic<std::int64_t> connections{0};
};

/// A thread that reads requests and writes answers, and what the connections on it share: exchanges, buffers, timers,
/// the access log. Connections stay on the loop that accepted them.
///
/// All but post(), here(), counters() and finish() is for the loop's own thread.
class Loop final : public Executor {
public:
    Loop(core::Bus& bus, std::string threadName, Resolver& resolver);
    ~Loop() override;

    void post(std::function<void()> task) override;
    bool here() const override;
    std::string_view name() const override { return threadName_; }
    const LoopCounters& counters() const { return counters_; }
    /// Ends the thread once all connections are gone and all exchanges and calls to backends have ended, or at
    /// `deadline`, when such calls are given up. False: exchanges
    /// are still held by others, the loop goes on for them and must not be destroyed.
    bool finish(TimePoint deadline);

    const core::InboundPort& port() const { return bus_.port(); }
    core::ExchangePool& exchanges() { return exchanges_; }
    LoopCounters& figures() { return counters_; }
    /// Its connections to backends.
    ClientPool& clients() { return clients_; }
    /// The loop whose thread this is, if it is one's.
    static Loop* current();
    /// Whose loop it is, for calls to backends. Any thread.
    const HttpClient* callsBy() const { return callsBy_.load(std::memory_order_relaxed); }
    void callsBy(const HttpClient* client) { callsBy_.store(client, std::memory_order_relaxed); }
    Poller& poller() { return poller_; }

    /// When this batch of events came: the time, but for how long the batch has taken so far.
    TimePoint now() const { return poller_.now(); }
    void setTimer(Timer& timer, TimePoint when) override { wheel_.set(timer, when); }
    void cancelTimer(Timer& timer) override { wheel_.cancel(timer); }

    std::unique_ptr<RequestSlot> takeSlot();
    void giveSlot(std::unique_ptr<RequestSlot> slot);
    /// Memory for one head while it is put together.
    Buffer& scratch() { return scratch_; }
    std::string_view date() { return date_.now(); }
    /// For a request that gets no exchange; valid until the next call.
    std::string_view nextRequestId();
    void logAccess(const AccessEntry& entry);

    void enter(std::shared_ptr<Connection> connection);
    void leave(Connection& connection);
    std::size_t connections() const { return connections_.size(); }
    /// A copy: what `visit` does may end connections.
    std::vector<std::shared_ptr<Connection>> allConnections() const { return connections_; }

    std::vector<std::shared_ptr<Acceptor>>& acceptors() { return acceptors_; }

private:
    void run();
    void drainTasks();

    struct FlushTimer : Timer {
        explicit FlushTimer(AccessLines& lines) : lines_(lines) {}
        void onTimer() override { lines_.flush(); }
        AccessLines& lines_;
    };

    core::Bus& bus_;
    const std::string threadName_;
    Poller poller_;
    TimerWheel wheel_;

    std::mutex tasksMutex_;
    std::vector<std::function<void()>> tasks_;
    std::vector<std::function<void()>> running_;
    std::atomic<bool> posted_{false};
    bool stopped_ = false;

    core::ExchangePool exchanges_;
    LoopCounters counters_;
    AccessLines access_;
    FlushTimer flush_{access_};
    std::vector<std::unique_ptr<RequestSlot>> slots_;
    Buffer scratch_{1024};
    DateText date_;
    char id_[32];
    std::size_t idPrefix_ = 0;
    std::uint64_t ids_ = 0;

    ClientPool clients_;
    std::atomic<const HttpClient*> callsBy_{nullptr};
    std::vector<std::shared_ptr<Connection>> connections_;
    std::vector<std::shared_ptr<Acceptor>> acceptors_;
    std::thread thread_;
};

}  // namespace postbus::http
