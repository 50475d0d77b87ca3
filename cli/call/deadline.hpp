#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace postbus::cli {

/// Calls `act` on a thread of its own when the time has come, unless it is destroyed before. `act` must not throw, and
/// is done when the destructor returns.
class Deadline {
public:
    Deadline(std::chrono::steady_clock::time_point at, std::function<void()> act)
        : thread_([this, at, act = std::move(act)] { wait(at, act); }) {}
    ~Deadline() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    bool passed() const { return passed_.load(); }

private:
    void wait(std::chrono::steady_clock::time_point at, const std::function<void()>& act) {
        std::unique_lock lock(mutex_);
        if (changed_.wait_until(lock, at, [this] { return over_; })) return;
        passed_ = true;
        act();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::atomic<bool> passed_{false};
    std::thread thread_;  // last: it uses what stands above
};

}  // namespace postbus::cli
