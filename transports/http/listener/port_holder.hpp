#pragma once

#include <cstdint>
#include <string>

namespace postbus::http {

/// Which process listens on this TCP port, for a message: "postbusd (pid 4711)". "another listener of this daemon" for
/// the one that asks, "another program" where the kernel does not say: of other users' processes it does not.
///
/// Reads all of /proc: for the case that a port could not be had, and for nothing else.
std::string holderOf(std::uint16_t port);

}  // namespace postbus::http
