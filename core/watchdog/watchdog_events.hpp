#pragma once

#include "base/log/event.hpp"

namespace postbus::core {

inline constexpr log::Event LoopBlocked{
    "loop.blocked", log::Level::Warning,
    "A handler has been on a loop for longer than watchdog.limit and is there still; every caller of that loop waits "
    "for "
    "it. `inside` is what it has called in-process, if not itself; for a continuation, `operation` is the endpoint "
    "whose "
    "answer it was given. Its service should not declare the operation "
    "nonblocking; until it is mended, endpoints: {NAME: {dispatch: pooled}} has it run on a worker."};

inline constexpr log::Event LoopFreed{"loop.freed", log::Level::Warning,
                                      "The handler that loop.blocked named has returned; the loop goes on. `millis` is "
                                      "how long it was there in all."};

inline constexpr log::Event LoopLate{
    "loop.late", log::Level::Warning,
    "A loop has taken no task for longer than watchdog.limit, and no handler is on it: the machine has no time for the "
    "daemon, or a disk or log that it writes to is slow. Told once until the loop is in time again."};

}  // namespace postbus::core
