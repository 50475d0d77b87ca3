#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "queues/engine/message.hpp"
#include "queues/engine/settings.hpp"

/// The engine's texts in the store, as bytes: a version, then lengths and values. Private to queues/engine.
namespace postbus::queues {

std::string encodeHead(const Message& message);
/// Everything but the body; nothing when the bytes are not of our making.
std::optional<Message> decodeHead(std::string_view bytes);

std::string encode(const DeadLetter& note);
std::optional<DeadLetter> decodeNote(std::string_view bytes);

/// What is kept of a queue beside its name.
struct QueueRecord {
    QueueSettings settings;
    bool pausedIn = false, pausedOut = false;
    bool topic = false;     ///< the record of a topic itself
    std::string topicName;  ///< of a subscription
    std::string clientId;
    SubscriptionOptions subscription;
};
std::string encode(const QueueRecord& record);
std::optional<QueueRecord> decodeRecord(std::string_view bytes);

}  // namespace postbus::queues
