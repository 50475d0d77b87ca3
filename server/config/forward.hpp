#pragma once

/// The configuration's largest structs by name alone: the parts of them check what they know of the whole.
namespace postbus::server {

struct DaemonConfig;
struct EndpointConfig;

}  // namespace postbus::server
