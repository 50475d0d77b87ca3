#pragma once

#include <postbus/abi.h>

namespace postbus::deployer {

/// Exchanges that plugins begin, of the extension POSTBUS_OUT_FIRST.
const postbus_out_first& outTable();

}  // namespace postbus::deployer
