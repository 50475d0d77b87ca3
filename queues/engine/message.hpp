#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.hpp"
#include "queues/store/rows.hpp"

namespace postbus::queues {

using PropertyValue = std::variant<bool, std::int64_t, double, std::string>;

struct Property {
    std::string name;
    PropertyValue value;
    friend bool operator==(const Property&, const Property&) = default;
};

/// What is sent and delivered: JMS's header fields, properties, and the body's bytes.
struct Message {
    std::string id;  ///< JMSMessageID; the engine gives one where it is empty
    std::string correlationId;
    std::string replyTo;
    std::string type;
    std::string contentType;
    std::string userId;
    std::string group;               ///< JMSXGroupID: all of a group go to one consumer, in order
    std::int32_t groupSequence = 0;  ///< JMSXGroupSeq; -1: the last of its group
    std::uint8_t priority = 4;       ///< 0-9; 9 is delivered first
    bool persistent = true;          ///< false: kept in memory alone, gone with the daemon
    milliseconds timeToLive{0};      ///< 0: for ever, or what the queue says
    milliseconds delay{0};           ///< not to be delivered before
    std::string duplicateKey;        ///< for the detection of duplicates; empty: `id`, when the sender gave one
    std::int64_t timestamp = 0;      ///< milliseconds since 1970; set by the engine
    std::int64_t expires = 0;        ///< likewise; 0: never
    std::vector<Property> properties;
    std::string body;

    friend bool operator==(const Message&, const Message&) = default;
};

/// Why a message lies in a dead letter or expiry queue.
struct DeadLetter {
    std::string origin;  ///< the queue it was sent to
    std::string reason;
    std::uint32_t attempts = 0;
    std::int64_t at = 0;
    friend bool operator==(const DeadLetter&, const DeadLetter&) = default;
};

using ConsumerId = std::uint64_t;
using TransactionId = std::uint64_t;
using Tag = std::uint64_t;  ///< of a delivery, ascending for each consumer

struct Delivery {
    ConsumerId consumer = 0;
    Tag tag = 0;
    std::string queue;
    std::shared_ptr<const Message> message;
    std::uint32_t count = 1;    ///< JMSXDeliveryCount: attempts, with this one, that are known of
    bool redelivered = false;   ///< JMSRedelivered: false means certainly never delivered before
    bool firstOfGroup = false;  ///< JMSXGroupFirstForConsumer
    std::optional<DeadLetter> deadLetter;
};

/// Takes a delivery. Runs on the engine's thread: hand it on, never block. Deliveries of one consumer come in order.
/// One that was under way when its consumer was cancelled may still come; its tag is refused then.
using Handler = std::function<void(Delivery)>;

}  // namespace postbus::queues
