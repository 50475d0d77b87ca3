#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "queues/engine/core/codec.hpp"
#include "queues/engine/core/duplicates.hpp"
#include "queues/engine/core/entry.hpp"
#include "queues/selector/selector.hpp"

/// The engine's state. All of it is guarded by Core's one mutex, unless it says otherwise. Private to queues/engine.
namespace postbus::queues {

using SessionId = std::uint64_t;

struct Consumer {
    /// Handed to the consumer, but not yet to its handler: behind one whose attempt is being stored, so that order is
    /// kept.
    struct Lined {
        Entry* entry = nullptr;
        bool firstOfGroup = false;
        bool waits = false;  ///< for the store
    };

    ConsumerId id = 0;
    SessionId session = 0;
    Queue* queue = nullptr;
    Selector selector;
    ConsumerOptions options;
    Handler handler;  ///< never changes
    std::atomic<bool> closed{false};
    std::uint32_t credit = 0;
    Tag last = 0;
    std::map<Tag, Entry*> delivered;
    std::deque<Lined> line;
    /// Of each priority: up to here nothing is for this consumer.
    std::array<MessageId, 10> cursor{};

    bool ready() const {
        if (closed) return false;
        return options.prefetch ? delivered.size() + line.size() < options.prefetch : credit > 0;
    }
};
using ConsumerPtr = std::shared_ptr<Consumer>;

struct Parked {
    Message message;
    Done done;
};

struct Counters {
    std::uint64_t enqueued = 0, acknowledged = 0, redelivered = 0, dead = 0, expired = 0, duplicates = 0, dropped = 0;
};

struct Queue {
    QueueId id = 0;
    std::string name;
    QueueRecord record;
    SessionId owner = 0;  ///< of a temporary queue
    bool stored = false;  ///< its record is in the store, or on the way
    bool gone = false;    ///< removed; lives until nothing in the store comes back to it
    bool dirty = false;   ///< stands in Core's list of queues to serve
    std::map<MessageId, EntryPtr> entries;
    std::array<std::set<Entry*, Elder>, 10> ready;
    std::vector<ConsumerPtr> consumers;  ///< by priority, then age
    std::size_t turn = 0;
    std::unordered_map<std::string, Group> groups;
    Duplicates duplicates;
    std::deque<Parked> parked;
    std::size_t readyCount = 0, scheduledCount = 0, pending = 0;
    std::uint64_t bytes = 0, memory = 0;
    Counters counters;
    Selector selector;  ///< of a subscription

    const QueueSettings& settings() const { return record.settings; }
    bool subscription() const { return !record.topicName.empty(); }
    /// Whether what it holds lives in memory alone.
    bool transient() const { return owner != 0 || (subscription() && !record.subscription.durable); }
};
using QueuePtr = std::shared_ptr<Queue>;

struct Topic {
    QueueId id = 0;
    bool stored = false;
    std::vector<Queue*> subscriptions;
};

struct SessionState {
    std::string clientId;
    std::set<ConsumerId> consumers;
    std::set<TransactionId> transactions;
    std::vector<std::string> temporary;
};

/// Something for a queue or a topic, to be sent at a commit.
struct Outgoing {
    bool topic = false;
    std::string name;
    Message message;
};

struct Transaction {
    SessionId session = 0;
    std::vector<Outgoing> sends;
    std::vector<Entry*> acknowledged;
};

}  // namespace postbus::queues
