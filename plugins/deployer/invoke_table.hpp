#pragma once

#include <postbus/abi.h>

namespace postbus::deployer {

/// The extension POSTBUS_INVOKE: how a plugin calls other endpoints. For services that were given a bus.
const postbus_invoke& invokeTable();

}  // namespace postbus::deployer
