#pragma once

#include "base/log/event.hpp"

namespace postbus::messaging {

inline constexpr log::Event SubscriptionTakes{"plugin.queue.serving", log::Level::Info,
                                              "A plugin takes messages from this queue or topic from now on."};
inline constexpr log::Event SubscriptionLeaves{
    "plugin.queue.gone", log::Level::Info,
    "A plugin takes no more messages from this queue or topic: it is replaced or removed, it has ended its "
    "subscription, or the daemon ends. What it had not begun went back."};
inline constexpr log::Event SubscriptionRefused{
    "plugin.queue.refused", log::Level::Error,
    "A plugin can't take messages from this queue or topic, for the reason given. The rest of the plugin serves."};
inline constexpr log::Event MessageUnsettled{
    "plugin.queue.unsettled", log::Level::Warning,
    "A plugin has done its work on a message, but that could not be stored, for the reason given: the message comes "
    "again."};
inline constexpr log::Event MessagesGivenUp{
    "plugin.queue.overdue", log::Level::Warning,
    "A plugin that is replaced or removed, or the daemon's end, did not wait any longer for these messages: they went "
    "back to their queues, as failed attempts. What the plugin says of them later is not heard."};

}  // namespace postbus::messaging
