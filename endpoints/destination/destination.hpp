#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/exchange/pattern.hpp"
#include "transports/queue/jms_uri.hpp"

namespace postbus::destination {

/// A queue or a topic: what JMS calls a destination.
struct Destination {
    bool topic = false;
    std::string name;

    /// "queue:NAME" or "topic:NAME". Invalid, with the reason, for anything else; the name itself is not checked.
    static Result<Destination> parse(std::string_view text);
    /// Whether parse() would have anything to say about it.
    static bool isOne(std::string_view text) { return text.starts_with("queue:") || text.starts_with("topic:"); }
    std::string text() const { return (topic ? "topic:" : "queue:") + name; }
};

/// How messages are sent there.
struct Sending {
    core::Pattern pattern = core::Pattern::InOut;  ///< one of those that begin with In
    bool persistent = true;
    std::uint8_t priority = 4;
    milliseconds timeToLive{0};  ///< 0: for ever; one whose answer is waited for lives no longer than the wait

    friend bool operator==(const Sending&, const Sending&) = default;
};

/// The jms: address of it, with what `sending` says of its messages.
queue::JmsUri addressOf(const Destination& destination, const Sending& sending);

}  // namespace postbus::destination
