#pragma once

#include <map>
#include <string>

#include "config/site.hpp"
#include "server/config/daemon_config.hpp"

namespace postbus::server {

using Endpoints = std::map<std::string, EndpointConfig>;

/// Checks one endpoint by itself, and fills in the service it leads to and the SOAP versions it advertises where the
/// document leaves them out.
void completeEndpoint(const std::string& name, EndpointConfig& endpoint, const config::Site& site);

/// A path that names a listener names one that there is.
void checkListenerNames(const Endpoints& endpoints, const http::HttpConfig& http, const config::Site& site);

/// One queue leads to one endpoint; what `queues:` says is in order.
void checkQueues(const DaemonConfig& config, const config::Site& site);

/// One path of one listener leads to one endpoint.
void checkPathsClaimedOnce(const Endpoints& endpoints, const config::Site& site);

}  // namespace postbus::server
