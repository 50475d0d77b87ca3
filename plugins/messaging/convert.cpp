#include "plugins/messaging/convert.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "base/utf8.hpp"
#include "plugins/tables/check.hpp"

namespace postbus::messaging {
namespace {

using tables::view;

/// What nobody waits for, and no sum of it and a date can overflow.
constexpr std::int64_t longest = std::int64_t{1000} * 60 * 60 * 24 * 365 * 100;

milliseconds length(std::int64_t given) { return milliseconds(std::clamp<std::int64_t>(given, 0, longest)); }

bool isText(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8Sequence(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

Result<queues::Property> readProperty(const postbus_property& given) {
    queues::Property property;
    property.name = view(given.name);
    if (property.name.empty()) return Error::invalid("a property of a message has no name");
    switch (given.kind) {
        case POSTBUS_PROPERTY_BOOL:
            property.value = given.integer != 0;
            break;
        case POSTBUS_PROPERTY_INTEGER:
            property.value = std::int64_t{given.integer};
            break;
        case POSTBUS_PROPERTY_REAL:
            property.value = given.real;
            break;
        case POSTBUS_PROPERTY_TEXT:
            if (!isText(view(given.text)))
                return Error::invalid("property '" + property.name + "' of a message is not in UTF-8");
            property.value = std::string(view(given.text));
            break;
        default:
            return Error::invalid("property '" + property.name + "' of a message is of no known kind");
    }
    return property;
}

}  // namespace

Result<Destination> readDestination(const postbus_destination* given) {
    if (!given || given->size < sizeof(postbus_destination)) return Error::invalid("no destination");
    if (given->kind != POSTBUS_DESTINATION_QUEUE && given->kind != POSTBUS_DESTINATION_TOPIC)
        return Error::invalid("a destination is a queue or a topic");
    if (view(given->name).empty()) return Error::invalid("a queue or topic needs a name");
    return Destination{given->kind == POSTBUS_DESTINATION_TOPIC, std::string(view(given->name))};
}

Result<queues::Message> readMessage(const postbus_message* given) {
    if (!given || given->size < sizeof(postbus_message)) return Error::invalid("no message");
    for (const postbus_str& each : {given->content_type, given->id, given->correlation_id, given->reply_to, given->type,
                                    given->group, given->duplicate_key})
        if (!isText(view(each))) return Error::invalid("a field of a message's head is not in UTF-8");
    if (given->priority > 9) return Error::invalid("a message's priority is 0 to 9");
    queues::Message message;
    message.body = view(given->body);
    message.contentType = view(given->content_type);
    message.id = view(given->id);
    message.correlationId = view(given->correlation_id);
    message.replyTo = view(given->reply_to);
    message.type = view(given->type);
    message.group = view(given->group);
    message.groupSequence = given->group_sequence;
    message.duplicateKey = view(given->duplicate_key);
    message.priority = static_cast<std::uint8_t>(given->priority);
    message.persistent = given->persistent != 0;
    message.timeToLive = length(given->time_to_live);
    message.delay = length(given->delay);
    if (given->property_count && (!given->properties || given->property_size < sizeof(postbus_property)))
        return Error::invalid("the properties of a message can't be read");
    const char* at = reinterpret_cast<const char*>(given->properties);
    for (std::uint32_t i = 0; i < given->property_count; ++i, at += given->property_size) {
        auto property = readProperty(*reinterpret_cast<const postbus_property*>(at));
        if (!property) return std::move(property).error();
        message.properties.push_back(std::move(*property));
    }
    return message;
}

std::uint32_t resultKind(Error::Kind kind) {
    switch (kind) {
        case Error::Kind::NotFound:
            return POSTBUS_QUEUE_NOT_FOUND;
        case Error::Kind::TooLarge:
            return POSTBUS_QUEUE_TOO_LARGE;
        case Error::Kind::Unavailable:
        case Error::Kind::Timeout:
            return POSTBUS_QUEUE_UNAVAILABLE;
        case Error::Kind::Internal:
            return POSTBUS_QUEUE_FAILED;
        default:
            return POSTBUS_QUEUE_INVALID;
    }
}

}  // namespace postbus::messaging
