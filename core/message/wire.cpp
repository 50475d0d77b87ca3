#include "core/message/wire.hpp"

namespace postbus::core {

void RequestHead::clear() {
    // Each by itself: one set from the other would be read while it is still being written.
    method = {};
    path = {};
    query = {};
    contentType = {};
    scheme = {};
    host = {};
    peer = {};
    listener = {};
    local = takesStreams = false;
    headers.clear();
}

void WireRequest::clear() {
    head.clear();
    body = {};
    memory.clear();
    decoded.clear();
    stream.reset();
}

void WireRequest::swap(WireRequest& other) noexcept {
    std::swap(head, other.head);
    std::swap(body, other.body);
    stream.swap(other.stream);
    memory.swap(other.memory);
    decoded.swap(other.decoded);
}

}  // namespace postbus::core
