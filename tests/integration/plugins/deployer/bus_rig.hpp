#pragma once

#include <atomic>
#include <string>

#include "base/executor.hpp"
#include "base/timer_wheel.hpp"
#include "core/bus.hpp"
#include "plugins/deployer/deployer.hpp"

namespace postbus::test {

/// A bus with no transport: what a Deployer publishes is routed, and Caller calls it.
class BusRig {
public:
    BusRig() : bus(2, 64) {}

    /// For Deployer: puts the services into a new table, as the daemon does.
    Result<void> publish(const std::vector<deployer::ActiveService>& services);
    void publishNothing() { bus.publish(nullptr); }

    core::Bus bus;
    std::atomic<int> received{0};  ///< calls that the bus has taken, answered or not
};

/// A loop of its own, for the thread that made it.
class Caller final : public Executor {
public:
    explicit Caller(BusRig& rig) : rig_(rig), pool_(*this) {}

    /// The answer's text, or "404", or "fault: reason".
    std::string call(const std::string& path);
    /// Fields that the last answer came with, "name: value", and its content type.
    std::vector<std::string> headers;
    std::string contentType;

    void post(std::function<void()> task) override;
    bool here() const override { return std::this_thread::get_id() == thread_; }
    void setTimer(Timer& timer, TimePoint when) override { wheel_.set(timer, when); }
    void cancelTimer(Timer& timer) override { wheel_.cancel(timer); }

private:
    void runUntil(const bool& done);

    BusRig& rig_;
    std::thread::id thread_ = std::this_thread::get_id();
    core::ExchangePool pool_;
    TimerWheel wheel_{Clock::now()};  // nothing here waits so long
    core::WireRequest request_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<std::function<void()>> tasks_;
};

}  // namespace postbus::test
