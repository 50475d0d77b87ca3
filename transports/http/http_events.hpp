#pragma once

#include "base/log/event.hpp"

namespace postbus::http {

inline constexpr log::Event ListenerOpen{"listener.open", log::Level::Info,
                                         "A listener takes connections. `address` is the real one: where port 0 was "
                                         "asked for it holds the port that was free."};
inline constexpr log::Event ListenerClosed{"listener.closed", log::Level::Info,
                                           "A listener has stopped to take connections: it is no longer configured, or "
                                           "the daemon ends. What had been accepted "
                                           "is still answered."};
inline constexpr log::Event AcceptPaused{
    "listener.accept.paused", log::Level::Warning,
    "A new connection could not be taken for want of descriptors or memory; it waits and is tried again ten times a "
    "second. Connections that are open go on. Raise the limit of open files (LimitNOFILE=) or lower "
    "`limits.connections`. "
    "Told at most once a minute."};
inline constexpr log::Event ConnectionsFull{
    "listener.connections.full", log::Level::Warning,
    "A listener has as many connections as `limits.connections` allows; further callers get 503. Told at most once a "
    "minute."};
inline constexpr log::Event StopExpired{
    "http.stop.expired", log::Level::Warning,
    "The time to stop was over before these exchanges had their answer; their callers got a fault with status 503."};
inline constexpr log::Event StopHeld{
    "http.stop.held", log::Level::Warning,
    "A service still holds exchanges although their callers have been answered. Their memory is kept until the process "
    "ends."};

}  // namespace postbus::http
