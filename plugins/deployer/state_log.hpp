#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "plugins/deployer/plugin_state.hpp"

namespace postbus::deployer {

/// That a plugin entered a state.
struct StateChange {
    PluginState state = PluginState::Pending;
    std::string plugin, version;  ///< empty as long as nothing is known of it but its file
    std::string file, hash;
    std::string reason;
    std::chrono::system_clock::time_point at;
};

/// What became of the plugins: the last changes, and how often each state was entered. Thread-safe.
class StateLog {
public:
    /// Keeps it with the time of now, and logs it.
    void enter(StateChange change);
    /// The last 256, oldest first.
    std::vector<StateChange> changes() const;
    using Counts = std::array<std::uint64_t, pluginStates>;
    Counts counts() const;

private:
    mutable std::mutex mutex_;
    std::deque<StateChange> changes_;
    Counts counts_{};
};

}  // namespace postbus::deployer
