/// A thread of a service's own, that answers calls some time after they came.
#pragma once

#include <postbus/plugin.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace types {

class Later {
public:
    using Clock = std::chrono::steady_clock;

    void start() {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    /// Answers what it still has, then joins.
    void stop() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }
    void add(postbus::Call call, std::chrono::milliseconds delay) {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({Clock::now() + delay, std::move(call)});
        wake_.notify_one();
    }

private:
    struct Waiting {
        Clock::time_point due;
        postbus::Call call;
    };

    void run(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, stop, [this] { return !waiting_.empty(); });
            if (waiting_.empty()) return;
            const Clock::time_point due = waiting_.front().due;
            wake_.wait_until(lock, stop, due, [due] { return Clock::now() >= due; });
            Waiting next = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            answer(std::move(next.call));
            lock.lock();
        }
    }
    static void answer(postbus::Call call);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Waiting> waiting_;
    std::jthread thread_;
};

}  // namespace types
