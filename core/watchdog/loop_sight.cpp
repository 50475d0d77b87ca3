#include "core/watchdog/loop_sight.hpp"

#include <algorithm>
#include <cstring>

#include "base/log/event.hpp"
#include "core/watchdog/watchdog_events.hpp"

namespace postbus::core {
namespace {

constexpr int mostTries = 1'000;  // of reading what a loop changes all the time

template <class Word>
std::uint64_t load(const char* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// Up to seven bytes as a word: by two halves that may overlap.
std::uint64_t fewer(std::string_view bytes) {
    const std::size_t size = bytes.size();
    const auto halves = [&]<class Half>(Half) {
        return load<Half>(bytes.data()) | load<Half>(bytes.data() + size - sizeof(Half)) << 8 * (size - sizeof(Half));
    };
    if (size >= 4) return halves(std::uint32_t{});
    if (size >= 2) return halves(std::uint16_t{});
    return load<std::uint8_t>(bytes.data());
}

double millisBetween(TimePoint from, TimePoint to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

template <std::size_t Words>
void LoopSight::Text<Words>::set(std::string_view text) {
    const std::size_t size = std::min(text.size(), sizeof(std::uint64_t) * Words);
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= size; at += sizeof(std::uint64_t)) {
        words_[at / sizeof(std::uint64_t)].store(load<std::uint64_t>(text.data() + at), std::memory_order_release);
    }
    if (at < size)
        words_[at / sizeof(std::uint64_t)].store(fewer(text.substr(at, size - at)), std::memory_order_release);
    size_.store(size, std::memory_order_release);
}

template <std::size_t Words>
std::string LoopSight::Text<Words>::get() const {
    std::string text(size_.load(std::memory_order_acquire), '\0');
    for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = words_[at / sizeof(std::uint64_t)].load(std::memory_order_acquire);
        for (std::size_t i = at; i < std::min(at + sizeof word, text.size()); ++i, word >>= 8)
            text[i] = static_cast<char>(word & 0xFF);
    }
    return text;
}

LoopSight::Seen LoopSight::read(const Place& place) {
    return {place.endpoint.get(), place.operation.get(), place.request.get(),
            TimePoint(TimePoint::duration(place.begun.load(std::memory_order_acquire)))};
}

// A reader that has read any of what is stored between the two, each by a release, sees an odd version or a later one
// when it looks at it again.
void LoopSight::beginChange() {
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
void LoopSight::endChange() { version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

void LoopSight::enter(std::string_view endpoint, std::string_view operation, std::string_view request,
                      TimePoint begun) {
    const std::size_t depth = depth_.load(std::memory_order_relaxed);
    Place& place = calls_[std::min(depth, places - 1)];
    beginChange();
    place.endpoint.set(endpoint);
    place.operation.set(operation);
    place.request.set(request);
    place.begun.store(begun.time_since_epoch().count(), std::memory_order_release);
    depth_.store(depth + 1, std::memory_order_release);
    endChange();
    if (depth == 0) outermost_.store(++number_, std::memory_order_release);
}

void LoopSight::leave() {
    const std::size_t depth = depth_.load(std::memory_order_relaxed);
    beginChange();
    depth_.store(depth - 1, std::memory_order_release);
    endChange();
    if (depth > 1) return;
    outermost_.exchange(0, std::memory_order_seq_cst);
    if (noticed_.load(std::memory_order_seq_cst)) tellEnd();
}

void LoopSight::tellEnd() {
    const std::lock_guard lock(mutex_);
    if (!noticed_.load(std::memory_order_relaxed)) return;  // the watchdog found it gone
    noticed_.store(false, std::memory_order_relaxed);
    const Seen call = read(calls_[0]);
    log::emit(LoopFreed, {{"endpoint", call.endpoint},
                          {"operation", call.operation},
                          {"request", call.request},
                          {"millis", millisBetween(call.begun == TimePoint{} ? seenAt_ : call.begun, Clock::now())}});
}

/// Whether the call of that number is there still; then what is known of it, and of the innermost within it.
bool LoopSight::sees(std::uint64_t number, Seen& outermost, Seen& innermost) const {
    for (int tries = 0; tries < mostTries; ++tries) {
        const std::uint64_t version = version_.load(std::memory_order_acquire);
        const std::size_t depth = depth_.load(std::memory_order_acquire);
        if (outermost_.load(std::memory_order_seq_cst) != number) return false;
        if (version % 2 != 0 || depth == 0) continue;
        outermost = read(calls_[0]);
        innermost = read(calls_[std::min(depth, places) - 1]);
        if (version_.load(std::memory_order_relaxed) == version)
            return outermost_.load(std::memory_order_seq_cst) == number;
    }
    return false;
}

void LoopSight::look(TimePoint now, milliseconds limit) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = outermost_.load(std::memory_order_acquire);
    if (number != seen_) {
        seen_ = number;
        seenAt_ = now;
        return;
    }
    if (!number || noticed_.load(std::memory_order_relaxed) || now - seenAt_ < limit) return;
    Seen outermost, innermost;
    noticed_.store(true, std::memory_order_seq_cst);
    if (!sees(number, outermost, innermost)) return noticed_.store(false, std::memory_order_relaxed);
    // From here on the loop waits for the lock before it goes on after that call.
    const TimePoint begun = outermost.begun == TimePoint{} ? seenAt_ : outermost.begun;
    log::emit(LoopBlocked, {{"endpoint", outermost.endpoint},
                            {"operation", outermost.operation},
                            {"request", outermost.request},
                            {"inside", innermost.endpoint},
                            {"inside-operation", innermost.operation},
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
