#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "base/timer_wheel.hpp"
#include "core/bus.hpp"

namespace postbus::queue {

/// A thread for what has to do with queues. That of the queue transport has exchanges that come from queues begin and
/// end on it.
///
/// It sleeps until there is a task or a timer. A task that is posted after the end is dropped: what the engine still
/// hands out then is delivered again after the next start.
class QueueLoop final : public Executor {
public:
    /// `name` is the thread's: 15 bytes at most.
    explicit QueueLoop(core::Bus& bus, const char* name = "queue");
    ~QueueLoop() override;

    void post(std::function<void()> task) override;
    bool here() const override;
    std::string_view name() const override { return name_; }
    void setTimer(Timer& timer, TimePoint when) override { wheel_.set(timer, when); }
    void cancelTimer(Timer& timer) override { wheel_.cancel(timer); }

    core::ExchangePool& exchanges() { return exchanges_; }
    const core::Bus& bus() const { return bus_; }

    /// Runs `task` on the loop and waits for it; from another thread.
    void run(const std::function<void()>& task);
    /// Ends the thread once no exchange is open, or at `deadline`. False: exchanges are still held by others, the loop
    /// goes on for them and must not be destroyed.
    bool finish(TimePoint deadline);
    /// After that: goes on as long as the process.
    void stay(std::shared_ptr<QueueLoop> self) { self_ = std::move(self); }

private:
    void work();

    core::Bus& bus_;
    const char* const name_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<std::function<void()>> tasks_;
    bool ended_ = false;
    std::shared_ptr<QueueLoop> self_;

    TimerWheel wheel_;
    core::ExchangePool exchanges_;
    std::thread thread_;
};

}  // namespace postbus::queue
