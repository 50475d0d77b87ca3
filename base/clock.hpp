#pragma once

#include <chrono>

namespace postbus {

/// The clock of deadlines and durations: monotonic, so that a change of the wall clock moves nothing.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using std::chrono::milliseconds;

}  // namespace postbus
