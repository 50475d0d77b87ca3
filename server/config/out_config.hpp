#pragma once

#include <postbus/fields.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/clock.hpp"
#include "config/site.hpp"
#include "server/config/destination_config.hpp"
#include "server/config/forward.hpp"
#include "transports/http/client/backend_config.hpp"

namespace postbus::server {

/// Where the messages of one name go that a service sends on its own account.
struct OutConfig {
    std::string to;
    std::vector<std::string> addresses;
    milliseconds timeout{0};
    std::optional<SendConfig> send;
    std::optional<http::BackendConfig> backend;

    static constexpr std::string_view shorthand = "to";
    static constexpr auto fields() {
        return std::tuple{
            field("to", &OutConfig::to,
                  "queue:NAME, topic:NAME (for out-only messages), or http://HOST:PORT/PATH, a callback address that "
                  "SOAP envelopes are posted to. Not needed where each message names an address."),
            field("addresses", &OutConfig::addresses,
                  "Callback addresses that the service may send such a message to, as its subscribers have given them: "
                  "http://HOST:PORT/PATH or jms:queue:NAME, with * at the end for any end. Nothing else is sent to."),
            field("timeout", &OutConfig::timeout,
                  "How long an answer or a fault may take, and where the pattern wants none, how long one is waited "
                  "for. 0s: 30s."),
            field("send", &OutConfig::send,
                  "How messages are sent to a queue or a topic; the pattern is the service's."),
            field("backend", &OutConfig::backend, "How an http address is called."),
        };
    }
};

/// What is said of out messages leads somewhere; those of one service and name to one place.
void checkOut(const DaemonConfig& config, const config::Site& site);

/// These endpoints, and with them those that out messages go to, under the names that core::outName() gives them.
std::map<std::string, EndpointConfig> withOut(std::map<std::string, EndpointConfig> endpoints);

}  // namespace postbus::server
