#include "core/exchange/worker_pool.hpp"

#include <algorithm>

namespace postbus::core {
namespace {

/// However many wait for each other, threads are not without end.
constexpr std::size_t mostInPlaceOfWaiting = 256;
thread_local const WorkerPool* mine = nullptr;

}  // namespace

bool WorkerPool::submit(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    // A task that a thread is about to take waits for nobody: what counts is how many there are in all.
    if (stopping_ || tasks_.size() + busy_ >= capacity_ + most()) return false;
    tasks_.push_back(std::move(task));
    hire();
    wake_.notify_one();
    return true;
}

/// One more thread, if there is work for it and room.
void WorkerPool::hire() {
    if (idle_ < tasks_.size() && threads_.size() < most() && !stopping_) threads_.emplace_back([this] { work(); });
}

std::size_t WorkerPool::most() const { return limit_ + std::min(waiting_, mostInPlaceOfWaiting); }

WorkerPool::Waiting::Waiting(WorkerPool& pool) : pool_(pool) {
    if (mine != &pool_) return;
    const std::lock_guard lock(pool_.mutex_);
    ++pool_.waiting_;
    pool_.hire();
}

WorkerPool::Waiting::~Waiting() {
    if (mine != &pool_) return;
    const std::lock_guard lock(pool_.mutex_);
    --pool_.waiting_;
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
    mine = this;
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        --idle_;
        if (tasks_.empty()) return;
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        ++busy_;
        lock.unlock();
        task();
        task = nullptr;
        lock.lock();
        --busy_;
    }
}

}  // namespace postbus::core
