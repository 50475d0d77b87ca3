#include "base/lane_counter.hpp"

namespace postbus {
namespace {

std::atomic<std::uint32_t> taken{0};  // a bit for each lane

}  // namespace

/// A thread's hold on its lane. The next one that gets it sees what this one has counted there.
class LaneCounter::Assignment {
public:
    Assignment() {
        std::uint32_t now = taken.load(std::memory_order_relaxed);
        lane_ = none;
        for (std::size_t i = 0; i < most;) {
            const std::uint32_t bit = 1u << i;
            if (now & bit) {
                ++i;
            } else if (taken.compare_exchange_weak(now, now | bit, std::memory_order_acquire,
                                                   std::memory_order_relaxed)) {
                lane_ = static_cast<int>(i);
                return;
            }
        }
    }
    ~Assignment() {
        if (lane_ >= 0) taken.fetch_and(~(1u << static_cast<unsigned>(lane_)), std::memory_order_release);
        lane_ = none;  // for what the thread's end still brings
    }
    Assignment(const Assignment&) = delete;
    Assignment& operator=(const Assignment&) = delete;
};

int LaneCounter::assigned() {
    thread_local const Assignment assignment;
    return lane_;
}

}  // namespace postbus
