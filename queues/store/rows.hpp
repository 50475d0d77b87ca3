#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// What a store keeps. Times are milliseconds since 1970; the engine makes sense of the texts it hands over (settings,
/// head, note), the store does not look into them.
namespace postbus::queues {

using MessageId = std::int64_t;  ///< ascending in the order of sending; never 0
using QueueId = std::int64_t;
using BodyId = std::int64_t;  ///< the id of its message; negative when several messages share it

/// A message without its content: narrow, so that a million of them are read in a second.
struct MessageRow {
    MessageId id = 0;
    QueueId queue = 0;
    BodyId body = 0;
    std::int64_t sent = 0;
    std::int64_t expires = 0;  ///< 0: never
    std::int64_t due = 0;      ///< not to be delivered before; 0: at once
    std::uint32_t deliveries = 0;
    std::uint32_t size = 0;  ///< of the body
    std::uint8_t priority = 4;
    std::string group;
    std::string note;  ///< why it was set aside

    friend bool operator==(const MessageRow&, const MessageRow&) = default;
};

/// Replaces what can change of a message; the rest stays.
struct MessageChange {
    MessageId id = 0;
    QueueId queue = 0;
    std::int64_t expires = 0;
    std::int64_t due = 0;
    std::uint32_t deliveries = 0;
    std::string note;
};

struct QueueRow {
    QueueId id = 0;
    std::string name;
    std::string settings;

    friend bool operator==(const QueueRow&, const QueueRow&) = default;
};

/// That a key was seen by a queue: for the detection of duplicates.
struct SeenRow {
    QueueId queue = 0;
    std::string key;
    std::int64_t at = 0;

    friend bool operator==(const SeenRow&, const SeenRow&) = default;
};

struct Content {
    std::string head;
    std::string body;
};

/// The content of a new message. The bytes are shared with whoever delivers it.
struct NewBody {
    BodyId id = 0;
    std::string head;
    std::shared_ptr<const std::string> bytes;
};

/// What happens at once or not at all, in the order of the members.
struct Batch {
    std::vector<QueueRow> putQueues;  ///< new, or in place of the one of that id
    std::vector<NewBody> putBodies;
    std::vector<MessageRow> putMessages;
    std::vector<MessageChange> changeMessages;
    std::vector<MessageId> dropMessages;
    std::vector<BodyId> dropBodies;
    std::vector<SeenRow> putSeen;
    std::vector<SeenRow> dropSeen;    ///< by queue and key
    std::vector<QueueId> dropQueues;  ///< with what they have seen; their messages are dropped one by one

    bool empty() const {
        return putQueues.empty() && putBodies.empty() && putMessages.empty() && changeMessages.empty() &&
               dropMessages.empty() && dropBodies.empty() && putSeen.empty() && dropSeen.empty() && dropQueues.empty();
    }
    /// Whether it adds content: such a batch is refused while the disk is full, others are tried.
    bool takesRoom() const { return !putBodies.empty() || !putMessages.empty(); }
};

}  // namespace postbus::queues
