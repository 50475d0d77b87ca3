#pragma once

#include "base/log/event.hpp"

namespace postbus::queue {

inline constexpr log::Event EndpointTakes{"queue.endpoint.serving", log::Level::Info,
                                          "An endpoint takes messages from this queue from now on."};
inline constexpr log::Event EndpointLeaves{
    "queue.endpoint.gone", log::Level::Info,
    "An endpoint takes no more messages from this queue: the configuration no longer says so, its store is out of "
    "service, or the daemon ends. What it had not begun went back; what it had begun is still answered."};
inline constexpr log::Event EndpointRefused{"queue.endpoint.refused", log::Level::Error,
                                            "An endpoint can't take messages from its queue, for the reason given. It "
                                            "is served by its other transports, and `postbus endpoints` shows it. "
                                            "Mend the configuration, or remove the subscription that is in its way as "
                                            "the reason says, and reload."};
inline constexpr log::Event AnswerRefused{
    "queue.answer.refused", log::Level::Warning,
    "An answer could not be put on the queue that its request names. With a reason that may pass the request is "
    "delivered again later; else it was set aside in the dead letter queue."};
inline constexpr log::Event RequestsGivenUp{
    "queue.stop.expired", log::Level::Warning,
    "The daemon ended before these requests from queues were answered. They are delivered again after the start."};

}  // namespace postbus::queue
