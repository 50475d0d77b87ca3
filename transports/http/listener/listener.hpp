#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/net/address.hpp"
#include "transports/http/http_config.hpp"
#include "transports/http/listener/listening_socket.hpp"

namespace postbus::http {

/// What one configuration says of a listener. Immutable; a request keeps the one it began with.
struct ListenerSettings {
    std::string name;
    HttpLimits limits;
    std::vector<net::Network> trustedProxies, allow, deny;
};

/// Whether a peer, unless it came by a Unix socket, is in one of the networks.
inline bool isOneOf(const std::vector<net::Network>& networks, const std::optional<net::IpBytes>& peer) {
    return peer &&
           std::any_of(networks.begin(), networks.end(), [&](const auto& each) { return each.contains(*peer); });
}

/// A listening socket, shared by all loops: it outlives configurations that still name its address.
struct Listener {
    Listener(std::string configuredAs, ListeningSocket opened)
        : key(std::move(configuredAs)), socket(std::move(opened)), address(socket.address()), isUnix(socket.isUnix()) {}

    const std::string key;  ///< how a configuration finds it again: the address as it was written there
    ListeningSocket socket;
    const std::string address;  ///< as bound: with the real port
    const bool isUnix;
    std::atomic<std::int64_t> connections{0};
    std::shared_ptr<const ListenerSettings> settings;  ///< the owner's; loops have their own
};

}  // namespace postbus::http
