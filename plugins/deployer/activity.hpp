#pragma once

#include <mutex>
#include <string>
#include <utility>

namespace postbus::deployer {

/// What the deployer's thread is in the middle of, for others to tell when it does not come out of it: a plugin's own
/// start or stop can take for ever. Thread-safe.
class Activity {
public:
    void begin(std::string what) { set(std::move(what)); }
    void end() { set({}); }
    std::string now() const {
        const std::lock_guard lock(mutex_);
        return what_;
    }

private:
    void set(std::string what) {
        const std::lock_guard lock(mutex_);
        what_ = std::move(what);
    }

    mutable std::mutex mutex_;
    std::string what_;
};

}  // namespace postbus::deployer
