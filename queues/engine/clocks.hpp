#pragma once

#include <cstdint>
#include <functional>

#include "base/clock.hpp"

namespace postbus::queues {

/// Both clocks that queues need. Delays, back-off and expiry run by `steady`, so that a jump of the wall clock moves
/// none of them while the engine is up; `wall` (milliseconds since 1970) is what is stored and shown. Tests bring their
/// own.
struct Clocks {
    std::function<TimePoint()> steady = [] { return Clock::now(); };
    std::function<std::int64_t()> wall = [] {
        return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    };
};

}  // namespace postbus::queues
