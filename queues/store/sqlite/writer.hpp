#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "queues/store/queue_store.hpp"
#include "queues/store/sqlite/batch_writer.hpp"
#include "queues/store/sqlite/health.hpp"
#include "queues/store/sqlite/reserve.hpp"

namespace postbus::queues::sqlite {

/// The one thread that writes. What was pushed while it was busy becomes one transaction with one flush: with many
/// senders a message costs a fraction of a flush, with one the flush is all it waits for.
///
/// While the disk is full it refuses batches that take room, tries the others in the room of the reserve, and looks
/// for new room four times a second. Idle, it gives free pages back in slices.
class Writer {
public:
    /// `grown` is told the length of the write-ahead log, in pages, after each commit; on the writer's thread.
    Writer(Database& database, Health& health, Reserve& reserve, int logPages, std::function<void(int)> grown);
    ~Writer() { stop(); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void push(Batch batch, QueueStore::Done done);
    /// From the checkpointing thread: copy back the little that it could not, so that the log starts anew.
    void finishCheckpoint();
    /// Finishes what was pushed, then ends the thread.
    void stop();

private:
    struct Item {
        Batch batch;
        QueueStore::Done done;
        Result<void> result;
    };

    void run();
    std::vector<Item> take(std::unique_lock<std::mutex>& lock);
    void write(std::span<Item> group);
    void writeEach(std::span<Item> group);
    Outcome transaction(std::span<Item> group);
    Outcome rollBack(Outcome why);
    void conclude(Item& item, Outcome outcome);
    void checkpoint(int mode);
    void enterFull();
    void lookForRoom();
    bool giveBack();

    Database& database_;
    Health& health_;
    Reserve& reserve_;
    const int logPages_;
    const std::function<void(int)> grown_;
    BatchWriter writer_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Item> pushed_;
    bool stop_ = false, checkpoint_ = false;
    int logged_ = 0;  ///< pages of the log; of the writer's thread, as what follows
    bool inFull_ = false;
    TimePoint lookedForRoom_{};
    std::thread thread_;
};

}  // namespace postbus::queues::sqlite
