#pragma once

#include <postbus/abi.h>

namespace postbus::deployer {

/// The extension POSTBUS_CALL_STATE: whether anybody waits for a call still.
const postbus_call_state& callStateTable();

}  // namespace postbus::deployer
