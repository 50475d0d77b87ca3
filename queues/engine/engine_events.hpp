#pragma once

#include "base/log/event.hpp"

namespace postbus::queues {

inline constexpr log::Event MessageDead{"queue.message.dead", log::Level::Warning,
                                        "A message failed on its last attempt, or was given up by its consumer, and "
                                        "was set aside. See `postbus queue browse "
                                        "DLQ.NAME`; put it back with `postbus queue retry`."};
inline constexpr log::Event QueueLost{
    "queue.recovery.lost", log::Level::Warning,
    "Messages were found whose queue was removed when the daemon went down, or can't be read. They are in the queue of "
    "the name given: move them to where they belong, or purge them."};
inline constexpr log::Event QueuesRecovered{"queue.recovery.done", log::Level::Info,
                                            "The queues are open. `crashed`: they were not closed; what was under "
                                            "delivery then is delivered again."};

}  // namespace postbus::queues
