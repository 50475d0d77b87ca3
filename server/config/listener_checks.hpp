#pragma once

#include <string>
#include <string_view>

#include "config/site.hpp"
#include "transports/http/http_config.hpp"

namespace postbus::server {

/// Refuses what is no listen address; `alternative` ends the message.
void checkAddress(const std::string& address, const config::Site& site, std::string_view alternative = {});

/// Addresses, networks, names and bounds of all listeners.
void checkHttp(const http::HttpConfig& config, const config::Site& site);

/// What a listener's own limits leave out, it has from the transport's.
void inheritLimits(http::HttpConfig& config, const config::Site& site);

/// The name by which endpoints choose a listener.
inline const std::string& nameOf(const http::HttpListenerConfig& listener) {
    return listener.name.empty() ? listener.address : listener.name;
}

}  // namespace postbus::server
