#pragma once

#include <functional>

#include "base/result.hpp"
#include "queues/store/rows.hpp"

namespace postbus::queues {

/// Where queues are kept.
///
/// Batches are applied whole, in the order of the calls of commit(), and `done` follows in that order too: with success
/// only when the batch is durable. Errors are of two kinds. Unavailable: this batch was refused and left nothing behind
/// (the disk is full); the store goes on. Internal: a write or a flush failed, and nobody knows what the disk holds.
/// The store is then out of service for good: every later operation fails with the same error, nothing is tried again
/// on the open files. A batch that was under way may or may not be found when the store is opened anew.
///
/// Thread-safe. `done` runs on a thread of the store, never within commit(): it must not block, and may call commit().
class QueueStore {
public:
    using Done = std::function<void(Result<void>)>;
    enum class State { Open, Full, Failed };

    /// What scan() finds: queues, then what they have seen (oldest first), then messages by ascending id.
    struct Visitor {
        std::function<void(QueueRow)> queue;
        std::function<void(SeenRow)> seen;
        std::function<void(MessageRow)> message;
    };

    virtual ~QueueStore() = default;

    /// Takes the batch over; quick, so it may be called under a lock.
    virtual void commit(Batch batch, Done done) = 0;

    /// The content, or only the head, of a committed message. Waits for the disk.
    virtual Result<Content> read(BodyId id) = 0;
    virtual Result<std::string> readHead(BodyId id) = 0;

    /// All that is committed. Waits for the disk; for the start, before the first commit().
    virtual Result<void> scan(const Visitor& visitor) = 0;
    /// Whether the last user ended with close(). Otherwise messages may have been under delivery when it went down.
    virtual bool wasClosed() const = 0;

    virtual State state() const = 0;

    /// After the last commit(): waits until all are done, and leaves the mark for wasClosed(). A store that is
    /// destroyed without it finishes what it was given and leaves no mark.
    virtual Result<void> close() = 0;
};

}  // namespace postbus::queues
