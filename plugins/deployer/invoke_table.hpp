#pragma once

#include <postbus/abi.h>

#include "transports/inproc/invocation.hpp"

namespace postbus::deployer {

/// The extension POSTBUS_INVOKE: how a plugin calls other endpoints. For services that were given a bus.
const postbus_invoke& invokeTable();

/// An outcome as plugins are told of it; lends what it holds.
postbus_outcome describe(const inproc::Outcome& outcome);

}  // namespace postbus::deployer
