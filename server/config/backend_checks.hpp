#pragma once

#include <string>

#include "config/site.hpp"
#include "server/config/daemon_config.hpp"

namespace postbus::server {

/// Checks an endpoint that leads to an http:// address, and what `backend:` says of it.
void checkRemote(const EndpointConfig& endpoint, const config::Site& site);
/// What holds for any http:// address.
void checkBackend(const http::BackendConfig& backend, const config::Site& here);

}  // namespace postbus::server
