#pragma once

#include <functional>
#include <thread>

#include "base/clock.hpp"

namespace postbus::test {

/// Waits for what other threads bring about; false only when it does not come: the limit is against hanging.
inline bool eventually(const std::function<bool()>& condition) {
    for (const TimePoint until = Clock::now() + std::chrono::minutes(2); !condition();) {
        if (Clock::now() > until) return false;
        std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
}

}  // namespace postbus::test
