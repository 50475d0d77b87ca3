#pragma once

#include "base/log/event.hpp"

namespace postbus::admin {

inline constexpr log::Event TokenExposed{"admin.token.exposed", log::Level::Warning,
                                         "The token of the admin interface could be read by other users; its mode was "
                                         "set to 0600. If somebody may have read "
                                         "it, remove the file and restart: a fresh one is made."};
inline constexpr log::Event AdminRefused{
    "admin.refused", log::Level::Warning,
    "A request to the admin interface over TCP was turned away: no or a wrong token, a Host that is not loopback, or a "
    "page of another origin. If it was yours, see the reason; if not, somebody is trying."};
inline constexpr log::Event AdminSocketSkipped{
    "admin.socket.skipped", log::Level::Warning,
    "The Unix socket of the admin interface could not be opened; the daemon goes on with TCP alone."};

inline constexpr log::Event QueueManaged{"queue.managed", log::Level::Info,
                                         "Somebody purged, moved, retried, paused, resumed, removed or reopened by the "
                                         "admin interface. `messages` tells how many were taken."};

}  // namespace postbus::admin
