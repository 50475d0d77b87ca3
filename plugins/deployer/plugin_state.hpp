#pragma once

#include <cstddef>
#include <string_view>

namespace postbus::deployer {

/// Where a content of a plugin file stands on its way, in the order of that way; then what leads off it.
enum class PluginState {
    Pending,    ///< there, and not looked at yet: it was changed a moment ago, or someone writes it
    Verifying,  ///< its bytes are checked, and it is tried out in a process of its own
    Resolved,   ///< fit to be loaded
    Loading,    ///< its code is mapped
    Starting,   ///< its services start
    Active,     ///< it serves
    Draining,   ///< another version serves, or none; its last calls end
    Stopping,   ///< its services stop
    Unloaded,   ///< gone
    Disabled,   ///< hidden by NAME.disabled, or by one of the deploy folder
    Refused,    ///< turned down: the file, or what it asks for, can't be had
    Failed,     ///< its own start failed
    Zombie      ///< calls to it did not end: it stays mapped, and nobody calls it
};
constexpr std::size_t pluginStates = static_cast<std::size_t>(PluginState::Zombie) + 1;

/// In lower case, as reports and events have it.
std::string_view nameOf(PluginState state);

}  // namespace postbus::deployer
