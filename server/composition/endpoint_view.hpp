#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace postbus::server {

/// An endpoint as people see it.
struct EndpointView {
    enum class State { Serving, Waiting, Unreachable };
    struct Place {
        std::string listener, path;
        friend auto operator<=>(const Place&, const Place&) = default;
    };

    std::string name, service, plugin, version;
    State state = State::Serving;
    std::string reason;         ///< why it does not serve
    std::vector<Place> places;  ///< where it is reached over HTTP
    std::string queue;          ///< that it takes messages from, or topic:NAME, or none
    std::vector<std::string> operations;
    std::int64_t open = 0;  ///< exchanges inside
};

}  // namespace postbus::server
