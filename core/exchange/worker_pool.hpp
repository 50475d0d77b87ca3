#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace postbus::core {

/// A bounded pool for operations that may block. Threads start when there is work for them, up to `threads`; at most
/// `capacity` tasks wait.
class WorkerPool {
public:
    WorkerPool(std::size_t threads, std::size_t capacity) : limit_(threads), capacity_(capacity) {}
    ~WorkerPool() { stop(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// False, with `task` not taken, when the queue is full or the pool has been stopped: say so to the caller, do not
    /// wait.
    bool submit(std::function<void()> task);
    /// Finishes what was taken, then joins the threads. Idempotent.
    void stop();

    /// While one lives on a thread of the pool, that thread waits for others of the pool: another may run in its place.
    class Waiting {
    public:
        explicit Waiting(WorkerPool& pool);
        ~Waiting();
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

    private:
        WorkerPool& pool_;
    };

private:
    void work();
    void hire();
    std::size_t most() const;  // threads

    const std::size_t limit_, capacity_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0, busy_ = 0, waiting_ = 0;
    bool stopping_ = false;
};

}  // namespace postbus::core
