#pragma once

#include "server/daemon/options.hpp"

namespace postbus::server {

/// Runs the daemon with these options from the first step to the last; the exit status. Makes the signal mask of the
/// process: call it before any thread is there.
int runDaemon(const Options& options);

/// --check: says on standard output that the configuration is valid, or on standard error all that is wrong with it.
int checkConfiguration(const Options& options);

}  // namespace postbus::server
