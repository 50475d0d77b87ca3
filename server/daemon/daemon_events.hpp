#pragma once

#include "base/log/event.hpp"

namespace postbus::server {

inline constexpr log::Event DaemonStarting{"daemon.starting", log::Level::Info,
                                           "The daemon has read its configuration and locked its state folder."};
inline constexpr log::Event DaemonReady{
    "daemon.ready", log::Level::Info,
    "The first round of plugins is done and all listeners are open: the next request is served."};
inline constexpr log::Event DaemonFailed{
    "daemon.failed", log::Level::Error,
    "The daemon could not start and ends with status 1. The reason says what stands in the way."};
inline constexpr log::Event ConfigReloaded{"config.reloaded", log::Level::Info,
                                           "The configuration was read again and is in force."};
inline constexpr log::Event ConfigRefused{"config.refused", log::Level::Error,
                                          "A reload found this problem; there is one such line for each. Nothing was "
                                          "changed, the former configuration stays in "
                                          "force. Mend the file and reload again."};
inline constexpr log::Event ConfigNeedsRestart{
    "config.restart.needed", log::Level::Warning,
    "A reload changed a key that takes effect at a start only; the former value stays in force until then."};
inline constexpr log::Event DaemonDraining{
    "daemon.draining", log::Level::Info,
    "The daemon was told to stop: no new connections, what was accepted is answered. At the limit (in seconds) it ends "
    "in any case."};
inline constexpr log::Event DaemonGivesUp{
    "daemon.giving-up", log::Level::Error,
    "The queue store has failed, and `queue: {on-failure: exit}` wants the daemon to end then: with status 1, after "
    "what was accepted has been answered."};
inline constexpr log::Event ExchangeCut{
    "exchange.cut", log::Level::Warning,
    "The daemon ends although this call has no answer from its service: its caller gets a Server fault, or, after "
    "a second signal, nothing but a closed connection. A longer shutdown limit, or a faster service, avoids it."};
inline constexpr log::Event DaemonAborted{
    "daemon.aborted", log::Level::Warning,
    "A second signal ended the daemon before all calls were answered. Exit status 1."};
inline constexpr log::Event DaemonStuck{
    "daemon.stuck", log::Level::Error,
    "A loop did not come to its end after the shutdown limit, so the daemon ended without it. Exit status 1. An "
    "operation that is marked nonblocking blocks it: tell the plugin's author. The calls on that loop are not named, "
    "for only the loop itself knows them."};
inline constexpr log::Event DaemonStopped{
    "daemon.stopped", log::Level::Info,
    "The daemon ends. `unanswered` counts calls that got a fault for lack of time."};

inline constexpr log::Event QueuesUnopened{"queue.store.unopened", log::Level::Error,
                                           "The queue store could not be opened, for the reason given. Its endpoints "
                                           "take nothing, all else goes on. Mend what "
                                           "stands in the way, then `postbus queue reopen`."};
inline constexpr log::Event QueueSettingsRefused{"queue.settings.refused", log::Level::Error,
                                                 "A queue did not take the settings of the configuration, for the "
                                                 "reason given; it goes on with those it had."};

}  // namespace postbus::server
