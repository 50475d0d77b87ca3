#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "core/bus.hpp"

namespace postbus::core {

/// Looks at the loops of a bus from a thread of its own: names the handlers that block one (loop.blocked, loop.freed)
/// and measures how late the loops are with their tasks. All of it from any thread.
class Watchdog {
public:
    explicit Watchdog(const Bus& bus) : bus_(bus) {}
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// From now on a handler that is on a loop for `limit` is told, at the latest after half as long again. 0: none is,
    /// and nothing is measured; the thread rests.
    void watch(milliseconds limit);

    struct Lag {
        std::string loop;
        std::chrono::microseconds last{0}, longest{0};  ///< from posting a task to its run; asked once a second
    };
    /// In the order in which the loops began.
    std::vector<Lag> lags() const;

private:
    void run();
    void look(TimePoint now, milliseconds limit) const;

    const Bus& bus_;
    std::mutex mutex_;
    std::condition_variable changed_;
    milliseconds limit_{0};
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace postbus::core
