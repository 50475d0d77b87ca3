#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "queues/store/sqlite/database.hpp"
#include "queues/store/sqlite/health.hpp"

namespace postbus::queues::sqlite {

/// Copies the write-ahead log back into the database, on a thread and a connection of its own: no sender waits for it.
///
/// The log keeps its file at the size it has grown to, since to write over it is cheaper than to grow it. For it to
/// start anew all of it must have been copied; the last few pages, written meanwhile, are left to `finish`.
class Checkpointer {
public:
    Checkpointer(std::unique_ptr<Database> database, Health& health, int pages, std::function<void()> finish);
    ~Checkpointer() { stop(); }
    Checkpointer(const Checkpointer&) = delete;
    Checkpointer& operator=(const Checkpointer&) = delete;

    /// The log has this many pages now. From the writer's thread.
    void grown(int pages);
    void stop();

private:
    void run();

    const std::unique_ptr<Database> database_;
    Health& health_;
    const int pages_;
    const std::function<void()> finish_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool due_ = false, stop_ = false;
    std::thread thread_;
};

}  // namespace postbus::queues::sqlite
