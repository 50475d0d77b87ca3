#include "admin/queue_json.hpp"

#include <string>
#include <variant>

#include "base/base64.hpp"
#include "base/utf8.hpp"

namespace postbus::admin {
namespace {

bool isText(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t length = utf8Sequence(bytes);
        if (length == 0 || bytes.front() == '\0') return false;
        bytes.remove_prefix(length);
    }
    return true;
}

void writeBody(json::Writer& json, std::string_view body) {
    if (isText(body))
        json.member("body", body);
    else
        json.member("body64", base64(body));
}

}  // namespace

void write(json::Writer& json, const ShownMessage& shown) {
    const queues::Message& message = shown.message;
    json.object([&] {
        if (shown.number) json.member("number", shown.number);
        json.member("id", message.id);
        json.member("correlationId", message.correlationId);
        json.member("replyTo", message.replyTo);
        json.member("type", message.type);
        json.member("contentType", message.contentType);
        json.member("group", message.group);
        json.member("priority", std::uint32_t{message.priority});
        json.member("persistent", message.persistent);
        json.member("timestamp", message.timestamp);
        json.member("expires", message.expires);
        json.member("deliveries", shown.deliveries);
        json.member("redelivered", shown.redelivered);
        json.member("scheduled", shown.scheduled);
        json.object("properties", [&] {
            for (const queues::Property& each : message.properties)
                std::visit([&](const auto& value) { json.member(each.name, value); }, each.value);
        });
        if (shown.deadLetter)
            json.object("deadLetter", [&] {
                json.member("origin", shown.deadLetter->origin);
                json.member("reason", shown.deadLetter->reason);
                json.member("attempts", shown.deadLetter->attempts);
                json.member("at", shown.deadLetter->at);
            });
        json.member("size", shown.size);
        if (shown.body) writeBody(json, message.body);
    });
}

void write(json::Writer& json, const queues::QueueStatus& status) {
    json.object([&] {
        json.member("name", status.name);
        json.member("topic", status.topic);
        json.member("temporary", status.temporary);
        json.member("pausedIn", status.pausedIn);
        json.member("pausedOut", status.pausedOut);
        json.member("depth", status.depth());
        json.member("ready", status.ready);
        json.member("scheduled", status.scheduled);
        json.member("inFlight", status.inFlight);
        json.member("bytes", status.bytes);
        json.member("consumers", status.consumers);
        json.member("waiting", status.waiting);
        json.member("enqueued", status.enqueued);
        json.member("acknowledged", status.acknowledged);
        json.member("redelivered", status.redelivered);
        json.member("dead", status.dead);
        json.member("expired", status.expired);
        json.member("duplicates", status.duplicates);
        json.member("dropped", status.dropped);
        if (status.oldestAge) json.member("oldestAge", *status.oldestAge);
    });
}

}  // namespace postbus::admin
