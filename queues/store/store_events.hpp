#pragma once

#include "base/log/event.hpp"

namespace postbus::queues {

inline constexpr log::Event StoreFailed{
    "queue.store.failed", log::Level::Error,
    "A write or a flush of the queue store failed, for the reason given. Nothing is acknowledged any more, its queues "
    "are out of service, all else goes on. Look after the disk, then open the store again: `postbus queue reopen`, or "
    "a restart. All that was confirmed is still there."};
inline constexpr log::Event StoreFull{
    "queue.store.full", log::Level::Error,
    "The disk of the queue store is full. Senders are refused, receivers go on. Make room: the store takes messages "
    "again by itself."};
inline constexpr log::Event StoreRoom{"queue.store.room", log::Level::Info,
                                      "There is room again on the disk of the queue store; senders are served."};

}  // namespace postbus::queues
