#pragma once

#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "plugins/deployer/cache.hpp"

namespace postbus::deployer {

/// Loads `file` in a process of its own, for at most `limit`, and tells what the plugin says of itself. Whatever its
/// code does while being loaded, crash, hang, exit or eat memory, happens there and becomes an error: Timeout, or
/// Invalid. Unavailable: the probe itself could not be started, or `cancel`, a descriptor, became readable.
Result<Identity> probe(const std::string& program, const std::string& file, milliseconds limit, int cancel = -1);

}  // namespace postbus::deployer
