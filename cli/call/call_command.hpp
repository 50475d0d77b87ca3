#pragma once

#include "cli/arguments.hpp"

namespace postbus::cli {

/// postbus call ...; the exit status. Throws Unreachable when the daemon is needed and not there.
int runCallCommand(const Arguments& arguments);

}  // namespace postbus::cli
