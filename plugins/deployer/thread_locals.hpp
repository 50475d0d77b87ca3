#pragma once

#include <string>

namespace postbus::deployer {

// The thread_local objects of plugins that have destructors. The C library would keep a plugin mapped for as long as a
// thread lives that has touched such an object, and the bus's threads live as long as the bus. So the bus stands in
// for the C library here (__cxa_thread_atexit_impl, which all compilers' runtimes call): it keeps these objects by
// plugin, and destroys them when their thread ends or their plugin goes, whichever comes first. In the latter case that
// is on the deployer's thread, which no thread_local can tell from its own.

/// Before the library at `path` is loaded: its objects are kept here.
void keepThreadLocals(const std::string& path);
/// Destroys all that are left of it, on all threads, the newest of each thread first; waits for those that a thread
/// destroys at its end. Before the library is unloaded, when no thread is in its code.
void destroyThreadLocals(const std::string& path);

}  // namespace postbus::deployer
