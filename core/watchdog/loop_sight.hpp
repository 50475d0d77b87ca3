#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/executor.hpp"

namespace postbus::core {

/// What a loop runs just now, for a watchdog on another thread to see.
///
/// The loop says by a Call on its stack that it enters code that might not return soon: a service's handler, a
/// continuation of a plugin's. That costs it some plain stores, one atomic exchange for the outermost, and no look at
/// the clock. look() is for the watchdog.
class LoopSight {
public:
    /// While one lives on the loop's thread, the loop is inside of such code. They nest, as in-process calls do.
    class Call {
    public:
        /// The texts are copied, and cut where they are very long. `begun` may be TimePoint{}: then the watchdog's
        /// first look counts. It counts for the outermost alone.
        Call(LoopSight& sight, std::string_view endpoint, std::string_view operation, std::string_view request,
             TimePoint begun)
            : sight_(sight) {
            sight.enter(endpoint, operation, request, begun);
        }
        ~Call() { sight_.leave(); }
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;

    private:
        LoopSight& sight_;
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
    bool busy() const { return outermost_.load(std::memory_order_relaxed) != 0; }
    /// The same on the loop's own thread.
    bool inside() const { return depth_.load(std::memory_order_relaxed) != 0; }

private:
    /// One text, in words that the watchdog may read while the loop writes them.
    template <std::size_t Words>
    class Text {
    public:
        void set(std::string_view text);
        std::string get() const;

    private:
        std::array<std::atomic<std::uint64_t>, Words> words_{};
        std::atomic<std::size_t> size_{0};
    };
    /// What is known of one call.
    struct Place {
        Text<8> endpoint, operation;
        Text<4> request;
        std::atomic<TimePoint::rep> begun{0};
    };
    /// The same, as the watchdog has read it.
    struct Seen {
        std::string endpoint, operation, request;
        TimePoint begun;
    };
    static Seen read(const Place& place);

    void enter(std::string_view endpoint, std::string_view operation, std::string_view request, TimePoint begun);
    void leave();
    void beginChange();
    void endChange();
    bool sees(std::uint64_t number, Seen& outermost, Seen& innermost) const;
    void tellEnd();
    void arrive();

    // The loop's, for the watchdog to read. Whoever reads takes what it has read for whole only if version_ was even
    // and has stayed what it was.
    static constexpr std::size_t places = 8;  // what is deeper shares the last
    std::array<Place, places> calls_;
    std::atomic<std::size_t> depth_{0};
    std::atomic<std::uint64_t> version_{0};    // odd while the loop changes any of it
    std::atomic<std::uint64_t> outermost_{0};  // the number of the outermost call; 0: there is none
    std::uint64_t number_ = 0;                 // the last one's; the loop's own
    /// The outermost call has been logged. Set by the watchdog before it looks whether that call is there still; the
    /// loop looks at it after that call has gone: so one of the two knows of the other.
    std::atomic<bool> noticed_{false};

    std::mutex mutex_;  // for what follows, and while the watchdog makes up its mind and logs
    std::uint64_t seen_ = 0;
    TimePoint seenAt_;

    std::atomic<bool> asked_{false};
    std::atomic<std::int64_t> lag_{0}, longestLag_{0};  // microseconds
    TimePoint askedAt_;
    bool toldLate_ = false;  // the watchdog's own
};

}  // namespace postbus::core
