#pragma once

namespace postbus::server {

/// Has the C library give large pieces of memory back to the system as soon as they are free: it would learn from the
/// first large messages to keep room for more like them, in the arena of each thread. Before threads start.
void returnLargeMemory();

}  // namespace postbus::server
