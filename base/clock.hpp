#pragma once

#include <chrono>

namespace postbus {

/// The clock of deadlines and durations: monotonic, so that a change of the wall clock moves nothing.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using std::chrono::milliseconds;

/// The time of the kernel's last tick, some milliseconds ago at most: a quarter of the price.
TimePoint coarseNow();

}  // namespace postbus
