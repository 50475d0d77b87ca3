#include "queues/store/sqlite/checkpointer.hpp"

namespace postbus::queues::sqlite {

Checkpointer::Checkpointer(std::unique_ptr<Database> database, Health& health, int pages, std::function<void()> finish)
    : database_(std::move(database)), health_(health), pages_(pages), finish_(std::move(finish)), thread_([this] {
          run();
      }) {}

void Checkpointer::grown(int pages) {
    if (pages < pages_) return;
    {
        std::lock_guard lock(mutex_);
        due_ = true;
    }
    wake_.notify_one();
}

void Checkpointer::stop() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Checkpointer::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return due_ || stop_; });
        if (stop_) return;
        lock.unlock();
        if (health_.state() != QueueStore::State::Failed) {
            // The second pass copies what came during the first, the writer the rest.
            int code = SQLITE_OK;
            for (int pass = 0; pass < 2 && code == SQLITE_OK; ++pass)
                code = sqlite3_wal_checkpoint_v2(database_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                                                 nullptr);
            const Outcome outcome = database_->judge(code);
            if (outcome == Outcome::Broken) health_.fail(database_->message());
            if (outcome == Outcome::Full) health_.full(database_->message());
            if (outcome != Outcome::Broken) finish_();
        }
        lock.lock();
        due_ = false;
    }
}

}  // namespace postbus::queues::sqlite
