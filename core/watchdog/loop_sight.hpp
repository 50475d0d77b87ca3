#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "base/clock.hpp"
#include "base/executor.hpp"

namespace postbus::core {

/// What a loop runs just now, for a watchdog on another thread to see.
///
/// The loop says by a Call on its stack that it enters code that might not return soon: a service's handler, a
/// continuation of a plugin's. That costs it two atomic exchanges and no look at the clock. look() is for the watchdog.
class LoopSight {
public:
    /// While one lives on the loop's thread, the loop is inside of such code. They nest, as in-process calls do.
    class Call {
    public:
        /// The texts are copied, and cut where they are very long. `begun` may be TimePoint{}: then the watchdog's
        /// first look counts.
        Call(LoopSight& sight, std::string_view endpoint, std::string_view operation, std::string_view request,
             TimePoint begun);
        ~Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;

        std::string_view endpoint() const { return {text_, operationAt_}; }
        std::string_view operation() const { return {text_ + operationAt_, requestAt_ - operationAt_}; }
        std::string_view request() const { return {text_ + requestAt_, end_ - requestAt_}; }

    private:
        friend class LoopSight;
        std::size_t append(std::size_t at, std::string_view text, std::size_t most);

        LoopSight& sight_;
        Call* const outer_;
        const TimePoint begun_;
        std::size_t operationAt_, requestAt_, end_;
        char text_[160];
    };

    /// The watchdog's look: logs the call that has been there for `limit`, once; its end logs the whole time. To be
    /// called more often than that. One thread at a time.
    void look(TimePoint now, milliseconds limit);
    /// The time from posting a task to its run, as the watchdog asks for it: the last one and the longest.
    struct Lag {
        std::chrono::microseconds last{0}, longest{0};
    };
    Lag lag() const;
    /// Asks the loop by a task, unless it has been asked within `pause`. Tells of one that has not come for `limit`
    /// while no Call is there to blame. The sight must live until the loop has run the task.
    void measure(Executor& loop, TimePoint now, milliseconds limit, milliseconds pause);

    /// Whether the loop is inside of a Call. From any thread, for the moment.
    bool busy() const { return current_.load(std::memory_order_relaxed) != nullptr; }
    /// The same on the loop's own thread.
    bool inside() const { return innermost_ != nullptr; }

private:
    static bool isSeen(const char* word) { return (reinterpret_cast<std::uintptr_t>(word) & 1) != 0; }
    void letWatcherFinish();
    void tellEnd(const Call& call);
    void arrive();

    Call* innermost_ = nullptr;  // the loop's own
    /// The innermost call, for the watchdog; one byte further while that may be reading it: whoever takes such a
    /// call out waits for mutex_.
    std::atomic<char*> current_{nullptr};
    std::atomic<std::uint64_t> number_{0};  // of the outermost call
    std::atomic<bool> noticed_{false};      // the outermost call has been logged

    std::mutex mutex_;  // for what follows, and while the watchdog reads a call
    std::uint64_t seen_ = 0;
    TimePoint seenAt_;

    std::atomic<bool> asked_{false};
    std::atomic<std::int64_t> lag_{0}, longestLag_{0};  // microseconds
    TimePoint askedAt_;
    bool toldLate_ = false;  // the watchdog's own
};

}  // namespace postbus::core
