#pragma once

#include "base/log/event.hpp"

namespace postbus::server {

inline constexpr log::Event EndpointServing{"endpoint.serving", log::Level::Info,
                                            "An endpoint takes requests at this path from now on."};
inline constexpr log::Event EndpointGone{"endpoint.gone", log::Level::Info,
                                         "An endpoint's path was given up: its plugin was removed or the configuration "
                                         "no longer names it. Requests there get "
                                         "404; those under way are still answered."};
inline constexpr log::Event EndpointWaiting{
    "endpoint.waiting", log::Level::Warning,
    "The configuration names an endpoint whose service is not deployed. Its paths answer 503 until a plugin brings the "
    "service: copy it into the deploy folder, or mend the name behind `to:`."};
inline constexpr log::Event EndpointUnreachable{"endpoint.unreachable", log::Level::Warning,
                                                "A service has no path of its own, since another endpoint holds the "
                                                "one it asks for. Give it one in the configuration: "
                                                "endpoints: {NAME: {http: /other/path}}."};

}  // namespace postbus::server
