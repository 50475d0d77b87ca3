#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/clock.hpp"

namespace postbus {

class TimerWheel;

/// Something that may become due. In at most one wheel, once; leaves it when destroyed.
class Timer {
public:
    Timer() = default;
    virtual ~Timer() { unlink(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// The deadline has passed, by up to two ticks. The timer is no longer set, and may be set again here.
    virtual void onTimer() = 0;

private:
    friend class TimerWheel;
    void unlink();

    Timer* next_ = nullptr;
    Timer** here_ = nullptr;  // what points to this timer; null while it is in no wheel
    std::int64_t tick_ = 0;   // when the wheel will look at it
    TimePoint deadline_ = TimePoint::max();
};

/// The deadlines of one loop, coarse: instead of a timer per operation, one per loop (design decision D1).
///
/// Setting a timer again to a later time only stores that time: the wheel finds out when it comes to the old one. So
/// the idle deadline of a busy connection costs a store per request. Owned by one thread; timers that are set must not
/// outlive it.
class TimerWheel {
public:
    static constexpr milliseconds tick{16};

    explicit TimerWheel(TimePoint now) : current_(floorTick(now)) {}

    /// Sets `timer`, or sets it anew. True when the wheel has to be looked at earlier than before.
    bool set(Timer& timer, TimePoint deadline);
    void cancel(Timer& timer) { timer.unlink(); }
    /// Fires what is due at `now`.
    void advance(TimePoint now);
    /// When to call advance(); max() when nothing is set.
    TimePoint next() const;

private:
    static constexpr std::int64_t slots = 512;

    static std::int64_t floorTick(TimePoint time) { return time.time_since_epoch() / tick; }
    bool link(Timer& timer, std::int64_t tickWanted);
    void look(std::size_t slot, TimePoint now);

    std::int64_t current_;            // ticks up to this one have been looked at
    std::int64_t first_ = INT64_MAX;  // nothing is linked before this tick
    std::array<Timer*, slots> wheel_{};
    std::array<std::uint64_t, slots / 64> used_{};  // a bit per slot that may hold timers
};

}  // namespace postbus
