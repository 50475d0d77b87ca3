#pragma once

#include <string>
#include <string_view>

namespace postbus::core {

/// The name of the endpoint that a service's own messages of one kind go to: Stock#priceChanged. Composition gives it
/// to what the configuration names for them.
inline std::string outName(std::string_view service, std::string_view message) {
    std::string name(service);
    name += '#';
    return name += message;
}

}  // namespace postbus::core
