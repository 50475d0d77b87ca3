#include "core/exchange/worker_pool.hpp"

namespace postbus::core {

bool WorkerPool::submit(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    if (stopping_ || tasks_.size() >= capacity_) return false;
    tasks_.push_back(std::move(task));
    if (idle_ < tasks_.size() && threads_.size() < limit_) threads_.emplace_back([this] { work(); });
    wake_.notify_one();
    return true;
}

void WorkerPool::stop() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& each : threads_) each.join();
    threads_.clear();
}

void WorkerPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        --idle_;
        if (tasks_.empty()) return;
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
        task = nullptr;
        lock.lock();
    }
}

}  // namespace postbus::core
