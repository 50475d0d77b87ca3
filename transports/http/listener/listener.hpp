#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
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
    std::string address;  ///< as bound
    HttpLimits limits;
    std::vector<net::Network> trustedProxies, allow, deny;
};

/// A listening socket, shared by all loops: it outlives configurations that still name its address.
struct Listener {
    Listener(std::string configuredAs, ListeningSocket opened)
        : key(std::move(configuredAs)), socket(std::move(opened)), address(socket.address()) {}

    const std::string key;  ///< how a configuration finds it again: the address as it was written there
    ListeningSocket socket;
    const std::string address;
    std::atomic<std::int64_t> connections{0};
    std::shared_ptr<const ListenerSettings> settings;  ///< the owner's; loops have their own
};

}  // namespace postbus::http
