#pragma once

#include "base/clock.hpp"
#include "server/daemon/parts.hpp"
#include "server/daemon/signals.hpp"

namespace postbus::server {

struct Drained {
    enum class End {
        Done,     ///< all is answered, by the service or, at the limit, with a fault
        Aborted,  ///< a second signal came
        Stuck,    ///< a loop does not answer: a nonblocking operation blocks it
    };
    End end = End::Done;
    std::size_t unanswered = 0;  ///< calls whose callers got a fault because the limit was reached
};

/// Closes the doors and lets what was accepted come to its end, `limit` at most; calls that are still open then are
/// named in the log. A second SIGTERM or SIGINT ends the wait. When this does not return Done the transport is still
/// being stopped, and the process has to end at once.
Drained drain(Parts& parts, Signals& signals, milliseconds limit);

}  // namespace postbus::server
