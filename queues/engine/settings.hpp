#pragma once

#include <postbus/fields.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

#include "base/clock.hpp"
#include "base/units.hpp"

namespace postbus::queues {

enum class Overflow { Reject, Wait, Drop };
constexpr auto enumerators(Overflow) {
    return std::array{enumerator("reject", Overflow::Reject), enumerator("wait", Overflow::Wait),
                      enumerator("drop", Overflow::Drop)};
}

/// Of one queue. Kept in the store with it.
struct QueueSettings {
    std::uint32_t maxDeliveries = 5;
    milliseconds redeliveryDelay{1'000};
    std::uint32_t redeliveryMultiplier = 5;
    milliseconds maxRedeliveryDelay{300'000};
    std::string deadLetter{};
    std::string expiry{};
    milliseconds timeToLive{0};
    std::uint64_t maxMessages = 0;
    ByteSize maxBytes{0};
    ByteSize maxMessageSize = 64_MiB;
    ByteSize memory = 16_MiB;
    Overflow overflow = Overflow::Reject;
    bool exclusive = false;
    std::uint32_t duplicateWindow = 0;
    milliseconds duplicateTime{600'000};

    static constexpr auto fields() {
        return std::tuple{
            field("max-deliveries", &QueueSettings::maxDeliveries,
                  "Attempts before a message goes to the dead letter queue. 0: without end."),
            field("redelivery-delay", &QueueSettings::redeliveryDelay, "Pause after the first failed attempt."),
            field("redelivery-multiplier", &QueueSettings::redeliveryMultiplier,
                  "Each further pause is that many times longer."),
            field("max-redelivery-delay", &QueueSettings::maxRedeliveryDelay, "But never longer than this."),
            field("dead-letter", &QueueSettings::deadLetter, "Name of the dead letter queue; default: DLQ.NAME."),
            field("expiry", &QueueSettings::expiry, "Queue that expired messages go to; default: they are dropped."),
            field("time-to-live", &QueueSettings::timeToLive,
                  "For messages that bring none of their own. 0s: they never expire."),
            field("max-messages", &QueueSettings::maxMessages, "Messages it holds at most. 0: any number."),
            field("max-bytes", &QueueSettings::maxBytes, "Bytes of bodies it holds at most. 0: any number."),
            field("max-message-size", &QueueSettings::maxMessageSize, "Bytes of one body; larger ones are refused."),
            field("memory", &QueueSettings::memory,
                  "Bytes of messages kept in memory; beyond, they stay in the store until they are delivered."),
            field("overflow", &QueueSettings::overflow,
                  "What happens to a message that finds the queue full: the sender is refused (reject) or waits for "
                  "room (wait), or it is dropped as if it had been taken (drop)."),
            field("exclusive", &QueueSettings::exclusive,
                  "Only one consumer at a time is served; the next takes over when it goes."),
            field("duplicate-window", &QueueSettings::duplicateWindow,
                  "How many message ids are remembered to drop what is sent twice. 0: none."),
            field("duplicate-time", &QueueSettings::duplicateTime, "And for how long."),
        };
    }
    friend bool operator==(const QueueSettings&, const QueueSettings&) = default;
};

struct EngineSettings {
    ByteSize memory = 256_MiB;  ///< for the messages of all queues; also what may wait for the disk at once
    bool autoCreate = true;     ///< a queue or topic comes to be by its first use
    QueueSettings defaults{};   ///< of queues that come to be so
};

struct ConsumerOptions {
    std::string selector{};
    std::uint32_t prefetch = 100;  ///< unacknowledged at once; 0: as many as addCredit() allows
    bool automatic = false;        ///< acknowledged as soon as the handler has returned
    int priority = 0;              ///< of an exclusive queue's consumers the highest is served, then the eldest
};

/// A subscription of a topic. Durable ones are found again by name (and client id, unless shared), and gather messages
/// while nobody listens. Shared ones may have several consumers, each message goes to one of them.
struct SubscriptionOptions {
    std::string name{};  ///< may be empty for one that is neither durable nor shared
    bool durable = false;
    bool shared = false;
    bool noLocal = false;    ///< not what sessions of the same client id publish; not for shared ones
    std::string selector{};  ///< applied when a message is published
    friend bool operator==(const SubscriptionOptions&, const SubscriptionOptions&) = default;
};

}  // namespace postbus::queues
