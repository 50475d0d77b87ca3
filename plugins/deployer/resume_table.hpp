#pragma once

#include <postbus/abi.h>

namespace postbus::deployer {

/// The extension POSTBUS_RESUME: how a plugin goes on later, after a time or on a worker. For services that were given
/// a bus.
const postbus_resume& resumeTable();

}  // namespace postbus::deployer
