#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"

namespace postbus::server {

/// Where in its life the daemon is. Written by the main thread, read by anyone.
class Progress {
public:
    enum class Phase { Starting, Serving, Draining };

    void enter(Phase phase) { phase_ = phase; }
    Phase phase() const { return phase_; }
    std::string_view name() const {
        constexpr std::string_view names[] = {"starting", "serving", "draining"};
        return names[static_cast<int>(phase())];
    }
    TimePoint begun() const { return begun_; }

    /// Keys of the file whose new values wait for a restart.
    void needRestartFor(std::vector<std::string> keys) {
        const std::lock_guard lock(mutex_);
        restart_ = std::move(keys);
    }
    std::vector<std::string> restart() const {
        const std::lock_guard lock(mutex_);
        return restart_;
    }

private:
    const TimePoint begun_ = Clock::now();
    std::atomic<Phase> phase_{Phase::Starting};
    mutable std::mutex mutex_;
    std::vector<std::string> restart_;
};

}  // namespace postbus::server
