#pragma once

#include <vector>

#include "server/composition/endpoint_view.hpp"

namespace postbus::server {

/// Says in the log what is new: paths that serve, that are gone, endpoints that wait or can't be reached. One line
/// each.
void tellChanges(const std::vector<EndpointView>& before, const std::vector<EndpointView>& after);

}  // namespace postbus::server
