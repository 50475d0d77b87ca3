#pragma once

#include <string>
#include <string_view>

#include "interceptors/addressing/properties.hpp"

namespace postbus::addressing {

/// A MessageID that no other message has: urn:uuid:, at random (RFC 4122 section 4.4).
std::string newMessageId();

/// Appends the headers of an answer to `request` (WS-Addressing 1.0 Core section 3.4): To, Action, MessageID, RelatesTo
/// where the request can be named, and the parameters that `target` asks for. `target` may be none: the caller.
void appendAnswerHeaders(std::string& blocks, const Properties& request, const EndpointReference& target,
                         std::string_view action);

}  // namespace postbus::addressing
