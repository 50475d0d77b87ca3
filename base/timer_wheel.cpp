#include "base/timer_wheel.hpp"

#include <algorithm>
#include <bit>

namespace postbus {

void Timer::unlink() {
    if (!here_) return;
    *here_ = next_;
    if (next_) next_->here_ = here_;
    next_ = nullptr;
    here_ = nullptr;
}

bool TimerWheel::set(Timer& timer, TimePoint deadline) {
    timer.deadline_ = deadline;
    if (deadline == TimePoint::max()) {
        timer.unlink();
        return false;
    }
    const std::int64_t due = floorTick(deadline) + 1;
    if (timer.here_ && timer.tick_ <= due) return false;
    timer.unlink();
    return link(timer, due);
}

/// The wheel is as long as it is: what is due later is looked at, and put back, once per turn.
bool TimerWheel::link(Timer& timer, std::int64_t tickWanted) {
    timer.tick_ = std::clamp(tickWanted, current_ + 1, current_ + slots - 1);
    const auto slot = static_cast<std::size_t>(timer.tick_ % slots);
    timer.next_ = wheel_[slot];
    if (timer.next_) timer.next_->here_ = &timer.next_;
    wheel_[slot] = &timer;
    timer.here_ = &wheel_[slot];
    used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    if (timer.tick_ >= first_) return false;
    first_ = timer.tick_;
    return true;
}

void TimerWheel::advance(TimePoint now) {
    const std::int64_t target = floorTick(now);
    first_ = INT64_MAX;
    // A turn of the wheel looks at everything, however long the loop was away.
    for (std::int64_t left = std::min(target - current_, slots); left > 0; --left) {
        const std::int64_t at = target - left + 1;
        const auto slot = static_cast<std::size_t>(at % slots);
        current_ = std::max(current_, at);
        if (used_[slot / 64] & std::uint64_t{1} << (slot % 64)) look(slot, now);
    }
    // The next slot in use, for next().
    for (std::int64_t at = current_ + 1; at < current_ + slots;) {
        const auto slot = static_cast<std::size_t>(at % slots);
        const std::uint64_t word = used_[slot / 64] >> (slot % 64);
        if (word) {
            first_ = std::min(first_, at + std::countr_zero(word));
            return;
        }
        at += 64 - static_cast<std::int64_t>(slot % 64);
    }
}

void TimerWheel::look(std::size_t slot, TimePoint now) {
    used_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    // Into a list of its own: what fires may set and cancel any timer, this slot's too.
    Timer* due = wheel_[slot];
    wheel_[slot] = nullptr;
    if (due) due->here_ = &due;
    while (due) {
        Timer& timer = *due;
        timer.unlink();
        if (timer.deadline_ <= now)
            timer.onTimer();
        else
            link(timer, floorTick(timer.deadline_) + 1);
    }
}

TimePoint TimerWheel::next() const {
    return first_ == INT64_MAX ? TimePoint::max() : TimePoint(Clock::duration(tick) * first_);
}

}  // namespace postbus
