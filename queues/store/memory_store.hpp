#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "base/executor.hpp"
#include "queues/store/queue_store.hpp"

namespace postbus::queues {

/// A store that forgets all when it goes: for tests, and for an engine that shall leave nothing on the disk.
///
/// With an executor, `done` runs there, one after the other. Without one, nothing is done before deliver() is called:
/// a test sees the time between a send and its confirmation.
class MemoryStore : public QueueStore {
public:
    explicit MemoryStore(Executor* executor = nullptr) : executor_(executor) {}

    void commit(Batch batch, Done done) override;
    Result<Content> read(BodyId id) override;
    Result<std::string> readHead(BodyId id) override;
    Result<void> scan(const Visitor& visitor) override;
    bool wasClosed() const override;
    State state() const override { return State::Open; }
    Result<void> close() override;

    /// Confirms, on this thread, what was committed so far; true when there was any.
    bool deliver();
    /// What a crash would leave: whatever is not confirmed is gone, wasClosed() tells the next user the truth.
    void reopen();

private:
    struct Tables {
        std::map<QueueId, QueueRow> queues;
        std::map<BodyId, Content> bodies;
        std::map<MessageId, MessageRow> messages;
        std::map<std::pair<QueueId, std::string>, std::int64_t> seen;
    };
    void apply(Batch& batch);

    Executor* const executor_;
    mutable std::mutex mutex_;
    Tables tables_;
    std::deque<std::pair<Batch, Done>> pending_;
    bool closed_ = true, wasClosed_ = true;
};

}  // namespace postbus::queues
