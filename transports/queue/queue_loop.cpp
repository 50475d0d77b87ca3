#include "transports/queue/queue_loop.hpp"

#include <pthread.h>

#include <future>
#include <utility>

namespace postbus::queue {
namespace {

thread_local const QueueLoop* current = nullptr;

}  // namespace

QueueLoop::QueueLoop(core::Bus& bus, const char* name)
    : bus_(bus), name_(name), wheel_(Clock::now()), exchanges_(*this) {
    thread_ = std::thread([this] { work(); });
    bus_.join(exchanges_);
}

QueueLoop::~QueueLoop() {
    if (thread_.joinable()) thread_.join();
}

bool QueueLoop::here() const { return current == this; }

void QueueLoop::post(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    tasks_.push_back(std::move(task));
    if (tasks_.size() == 1) wake_.notify_one();
}

void QueueLoop::work() {
    current = this;
    pthread_setname_np(pthread_self(), name_);
    std::vector<std::function<void()>> running;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            const auto due = [this] { return !tasks_.empty() || ended_; };
            if (const TimePoint next = wheel_.next(); next == TimePoint::max())
                wake_.wait(lock, due);
            else
                wake_.wait_until(lock, next, due);
            if (ended_ && tasks_.empty()) return;
            running.swap(tasks_);
        }
        for (auto& each : running) each();
        running.clear();
        if (const TimePoint now = Clock::now(); now >= wheel_.next()) wheel_.advance(now);
    }
}

void QueueLoop::run(const std::function<void()>& task) {
    std::promise<void> done;
    post([&] {
        task();
        done.set_value();
    });
    done.get_future().wait();
}

bool QueueLoop::finish(TimePoint deadline) {
    while (exchanges_.counters().open != 0) {
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(milliseconds(2));
    }
    bus_.leave(exchanges_);
    // Behind all that has been posted before: someone may wait for it.
    run([] {});
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        wake_.notify_one();
    }
    thread_.join();
    return true;
}

}  // namespace postbus::queue
