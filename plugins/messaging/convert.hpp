#pragma once

#include <postbus/abi_queues.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "queues/engine/message.hpp"

/// Between the C tables and the engine's types.
namespace postbus::messaging {

struct Destination {
    bool topic = false;
    std::string name;
};

/// An Error, kind Invalid, for what can't be read.
Result<Destination> readDestination(const postbus_destination* given);
/// A copy of all that was lent.
Result<queues::Message> readMessage(const postbus_message* given);

/// Of postbus_queue_result.
std::uint32_t resultKind(Error::Kind kind);

inline postbus_str lend(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }

}  // namespace postbus::messaging
