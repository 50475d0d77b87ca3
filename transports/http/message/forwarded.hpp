#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/net/address.hpp"
#include "core/message/wire.hpp"
#include "transports/http/parser/head_parser.hpp"

namespace postbus::http {

/// The longest host[:port] that may come out of forwarded fields.
inline constexpr std::size_t forwardedHostRoom = 264;

/// Puts what a trusted proxy says in X-Forwarded-Proto, -Host, -Port and -For into `head`: scheme, host and peer.
///
/// Of a field with several values the last counts, as that is the one the proxy next to us has written; of
/// X-Forwarded-For it is the last that names no trusted proxy itself. A value that is no scheme, authority, port or
/// address is passed over. `room` holds the host if it has to be put together; the other views point into `base`, where
/// the head lies.
void applyForwarded(const HeadParser& parser, const char* base, const std::vector<net::Network>& trusted,
                    std::span<char, forwardedHostRoom> room, core::RequestHead& head);

}  // namespace postbus::http
