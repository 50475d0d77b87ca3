#pragma once

#include "base/clock.hpp"
#include "server/daemon/parts.hpp"
#include "server/daemon/signals.hpp"

namespace postbus::server {

struct Drained {
    std::size_t unanswered = 0;  ///< calls whose callers got a fault because the limit was reached
    bool aborted = false;        ///< a second signal came
};

/// Closes the doors and lets what was accepted come to its end, `limit` at most; calls that are still open then are
/// named in the log. A second SIGTERM or SIGINT ends the wait; then the transport is still being stopped when this
/// returns, and the process has to end at once.
Drained drain(Parts& parts, Signals& signals, milliseconds limit);

}  // namespace postbus::server
