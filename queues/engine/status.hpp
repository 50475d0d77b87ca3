#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "queues/engine/message.hpp"
#include "queues/engine/settings.hpp"

namespace postbus::queues {

/// Figures of a queue or subscription. Depth is what is there now, the rest counts since the start.
struct QueueStatus {
    std::string name;
    std::string topic;  ///< of a subscription
    bool temporary = false;
    bool pausedIn = false, pausedOut = false;
    std::uint64_t ready = 0, scheduled = 0, inFlight = 0;
    std::uint64_t bytes = 0;    ///< of bodies
    std::uint64_t memory = 0;   ///< of messages held in memory
    std::uint64_t waiting = 0;  ///< senders that wait for room
    std::uint32_t consumers = 0;
    std::uint64_t enqueued = 0, acknowledged = 0, redelivered = 0, dead = 0, expired = 0, duplicates = 0, dropped = 0;
    std::optional<std::int64_t> oldestAge;  ///< in milliseconds
    QueueSettings settings;

    std::uint64_t depth() const { return ready + scheduled + inFlight; }
};

/// A message as browsing shows it.
struct Browsed {
    MessageId id = 0;
    bool scheduled = false;
    std::uint32_t deliveries = 0;
    std::shared_ptr<const Message> message;  ///< its body is empty unless it was asked for
    std::uint64_t size = 0;                  ///< of the body
    std::optional<DeadLetter> deadLetter;
};

struct BrowseQuery {
    MessageId after = 0;  ///< go on behind this one
    std::size_t limit = 100;
    std::string selector{};
    bool bodies = false;
};

/// Which messages purge(), move() and retry() take: those that are named, else those that are selected, else all. Never
/// those under delivery.
struct Choice {
    std::vector<MessageId> ids{};
    std::string selector{};
    std::uint64_t limit = 0;  ///< 0: all
};

}  // namespace postbus::queues
