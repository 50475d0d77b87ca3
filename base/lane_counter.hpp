#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace postbus {

/// A count that many threads take part in at once, each in a lane of its own as far as there are lanes: without a
/// locked instruction, and without a cache line that goes from one to the other.
///
/// What a thread has added on its lane it takes back itself; what was added for all may be taken back by anyone.
class LaneCounter {
public:
    LaneCounter() = default;
    LaneCounter(const LaneCounter&) = delete;
    LaneCounter& operator=(const LaneCounter&) = delete;

    /// By this thread, which will take it back.
    void enter() {
        const int lane = mine();
        if (lane == none) return enterForAll();
        std::atomic<std::int64_t>& count = lanes_[static_cast<std::size_t>(lane)].count;
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    /// What this thread did before is seen by whoever sees the count.
    void leave() {
        const int lane = mine();
        if (lane == none) return leaveForAll();
        std::atomic<std::int64_t>& count = lanes_[static_cast<std::size_t>(lane)].count;
        count.store(count.load(std::memory_order_relaxed) - 1, std::memory_order_release);
    }
    void enterForAll() { all_.fetch_add(1, std::memory_order_relaxed); }
    void leaveForAll() { all_.fetch_sub(1, std::memory_order_release); }

    /// About, while others come and go. Exact once nobody enters any more but from inside, and by enterForAll(): then a
    /// zero means that all have left.
    std::int64_t count() const {
        std::int64_t sum = 0;
        for (const Lane& each : lanes_) sum += each.count.load(std::memory_order_acquire);
        return sum + all_.load(std::memory_order_acquire);  // last: whoever leaves a lane may have entered here
    }

private:
    struct alignas(64) Lane {
        std::atomic<std::int64_t> count{0};
    };
    static constexpr std::size_t most = 16;
    static constexpr int none = -1, unknown = -2;

    static int mine() { return lane_ == unknown ? assigned() : lane_; }
    static int assigned();
    class Assignment;

    static inline constinit thread_local int lane_ = unknown;
    std::array<Lane, most> lanes_;
    alignas(64) std::atomic<std::int64_t> all_{0};
};

}  // namespace postbus
