#include "queues/engine/core/message_properties.hpp"

namespace postbus::queues {
namespace {

using Value = SelectorValue;

Value text(const std::string& value) { return value.empty() ? Value() : Value(std::string_view(value)); }

Value field(const Message& message, std::string_view name) {
    if (name == "JMSPriority") return std::int64_t{message.priority};
    if (name == "JMSDeliveryMode") return std::string_view(message.persistent ? "PERSISTENT" : "NON_PERSISTENT");
    if (name == "JMSTimestamp") return message.timestamp;
    if (name == "JMSMessageID" || name == "amqp.message_id") return text(message.id);
    if (name == "JMSCorrelationID" || name == "amqp.correlation_id") return text(message.correlationId);
    if (name == "JMSType" || name == "amqp.subject") return text(message.type);
    if (name == "JMSXGroupID" || name == "amqp.group_id") return text(message.group);
    if (name == "JMSXUserID" || name == "amqp.user_id") return text(message.userId);
    if (name == "JMSXGroupSeq" && !message.group.empty()) return std::int64_t{message.groupSequence};
    return {};
}

}  // namespace

SelectorValue MessageProperties::get(std::string_view name) const {
    if (Value found = field(message_, name); found.index() != 0) return found;
    for (const Property& each : message_.properties) {
        if (each.name != name) continue;
        return std::visit(
            [](const auto& value) -> Value {
                if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
                    return std::string_view(value);
                else
                    return value;
            },
            each.value);
    }
    return {};
}

}  // namespace postbus::queues
