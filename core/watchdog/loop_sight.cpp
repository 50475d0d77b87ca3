#include "core/watchdog/loop_sight.hpp"

#include <algorithm>
#include <cstring>

#include "base/log/event.hpp"
#include "core/watchdog/watchdog_events.hpp"

namespace postbus::core {
namespace {

constexpr std::size_t mostOfName = 60, mostOfId = 32;

double millisBetween(TimePoint from, TimePoint to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

LoopSight::Call::Call(LoopSight& sight, std::string_view endpoint, std::string_view operation, std::string_view request,
                      TimePoint begun)
    : sight_(sight), outer_(sight.innermost_), begun_(begun) {
    static_assert(2 * mostOfName + mostOfId <= sizeof text_);
    operationAt_ = append(0, endpoint, mostOfName);
    requestAt_ = append(operationAt_, operation, mostOfName);
    end_ = append(requestAt_, request, mostOfId);
    sight_.innermost_ = this;
    char* const word = reinterpret_cast<char*>(this);
    if (!outer_) {
        // Nobody but this thread takes current_ out of null.
        sight_.number_.store(sight_.number_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        sight_.current_.store(word, std::memory_order_release);
    } else if (isSeen(sight_.current_.exchange(word, std::memory_order_acq_rel))) {
        sight_.letWatcherFinish();
    }
}

LoopSight::Call::~Call() {
    char* const word = reinterpret_cast<char*>(outer_);
    if (isSeen(sight_.current_.exchange(word, std::memory_order_acq_rel))) sight_.letWatcherFinish();
    sight_.innermost_ = outer_;
    if (!outer_ && sight_.noticed_.load(std::memory_order_relaxed)) sight_.tellEnd(*this);
}

std::size_t LoopSight::Call::append(std::size_t at, std::string_view text, std::size_t most) {
    const std::size_t size = std::min(text.size(), most);
    if (size) std::memcpy(text_ + at, text.data(), size);  // no text may have no data
    return at + size;
}

void LoopSight::letWatcherFinish() { const std::lock_guard lock(mutex_); }

void LoopSight::tellEnd(const Call& call) {
    const std::lock_guard lock(mutex_);
    noticed_.store(false, std::memory_order_relaxed);
    const TimePoint begun = call.begun_ == TimePoint{} ? seenAt_ : call.begun_;
    log::emit(LoopFreed, {{"endpoint", call.endpoint()},
                          {"operation", call.operation()},
                          {"request", call.request()},
                          {"millis", millisBetween(begun, Clock::now())}});
}

void LoopSight::look(TimePoint now, milliseconds limit) {
    const std::lock_guard lock(mutex_);
    char* word = current_.load(std::memory_order_relaxed);
    const std::uint64_t number = word ? number_.load(std::memory_order_relaxed) : 0;
    if (number != seen_) {
        seen_ = number;
        seenAt_ = now;
        return;
    }
    if (!number || noticed_.load(std::memory_order_relaxed) || now - seenAt_ < limit) return;
    char* const call = isSeen(word) ? word - 1 : word;
    if (!current_.compare_exchange_strong(word, call + 1, std::memory_order_acq_rel)) return;
    // From here on the loop waits for the lock before it gives up this call.
    if (number_.load(std::memory_order_relaxed) != number) return;
    const Call& inner = *reinterpret_cast<const Call*>(call);
    const Call* outermost = &inner;
    while (outermost->outer_) outermost = outermost->outer_;
    noticed_.store(true, std::memory_order_relaxed);
    const TimePoint begun = outermost->begun_ == TimePoint{} ? seenAt_ : outermost->begun_;
    log::emit(LoopBlocked, {{"endpoint", outermost->endpoint()},
                            {"operation", outermost->operation()},
                            {"request", outermost->request()},
                            {"inside", inner.endpoint()},
                            {"inside-operation", inner.operation()},
                            {"millis", millisBetween(begun, now)}});
}

LoopSight::Lag LoopSight::lag() const {
    return {std::chrono::microseconds(lag_.load(std::memory_order_relaxed)),
            std::chrono::microseconds(longestLag_.load(std::memory_order_relaxed))};
}

void LoopSight::measure(Executor& loop, TimePoint now, milliseconds limit, milliseconds pause) {
    if (!asked_.load(std::memory_order_acquire)) {
        toldLate_ = false;
        if (now - askedAt_ < pause) return;
        askedAt_ = now;
        asked_.store(true, std::memory_order_relaxed);
        loop.post([this] { arrive(); });
    } else if (!toldLate_ && now - askedAt_ >= limit && !busy()) {
        toldLate_ = true;
        log::emit(LoopLate, {{"loop", loop.name()}, {"millis", millisBetween(askedAt_, now)}});
    }
}

/// On the loop.
void LoopSight::arrive() {
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - askedAt_).count();
    lag_.store(took, std::memory_order_relaxed);
    longestLag_.store(std::max(took, longestLag_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
    asked_.store(false, std::memory_order_release);
}

}  // namespace postbus::core
