#pragma once

#include <cstdint>
#include <optional>

#include "formats/json/writer.hpp"
#include "queues/engine/engine.hpp"

namespace postbus::admin {

/// A message as the admin interface shows it.
struct ShownMessage {
    const queues::Message& message;
    std::uint64_t number = 0;  ///< its place in the store, by which it is named; 0: it has left it
    std::uint32_t deliveries = 0;
    bool redelivered = false, scheduled = false, body = false;
    std::uint64_t size = 0;  ///< of the body
    const std::optional<queues::DeadLetter>& deadLetter;
};
/// The body as "body" when it is text in UTF-8, else as "body64".
void write(json::Writer& json, const ShownMessage& shown);
void write(json::Writer& json, const queues::QueueStatus& status);

}  // namespace postbus::admin
