#pragma once

#include <memory>
#include <string>

#include "queues/engine/message.hpp"

namespace postbus::queues {

struct Queue;
struct Consumer;

/// The messages of one JMSXGroupID in one queue.
struct Group {
    Consumer* owner = nullptr;
    std::uint64_t messages = 0;
};

/// One message in one queue, without its content where that is paged out.
struct Entry {
    enum class State : std::uint8_t {
        Pending,    ///< being stored; nobody knows of it yet
        Scheduled,  ///< waits for its time
        Ready,
        Counting,  ///< the attempt is being stored before the delivery
        Delivered,
        Enlisted,  ///< acknowledged in a transaction that is open
        Leaving,   ///< its end, or its move, is being stored
    };

    MessageId id = 0;
    BodyId body = 0;  ///< 0: not in the store
    Queue* queue = nullptr;
    TimePoint due{}, expiresAt = TimePoint::max();
    std::int64_t sent = 0, expires = 0, dueWall = 0;
    std::uint32_t deliveries = 0, stored = 0;  ///< attempts begun, and those that the store knows of
    std::uint32_t size = 0;
    std::uint8_t priority = 4;
    State state = State::Pending;
    bool suspect = false;  ///< may have been delivered before a crash
    bool seen = false;     ///< has been delivered, whether that counted or not
    bool closesGroup = false;
    const std::string* groupName = nullptr;
    Group* group = nullptr;
    std::shared_ptr<const Message> message;  ///< empty: in the store
    std::unique_ptr<DeadLetter> note;
    std::shared_ptr<Consumer> holder;
    Tag tag = 0;

    bool durable() const { return body != 0; }
};

using EntryPtr = std::unique_ptr<Entry>;

/// By age.
struct Elder {
    using is_transparent = void;
    bool operator()(const Entry* a, const Entry* b) const { return a->id < b->id; }
    bool operator()(const Entry* a, MessageId b) const { return a->id < b; }
    bool operator()(MessageId a, const Entry* b) const { return a < b->id; }
};

}  // namespace postbus::queues
