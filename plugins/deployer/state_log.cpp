#include "plugins/deployer/state_log.hpp"

#include <utility>

#include "plugins/deployer/deployer_events.hpp"

namespace postbus::deployer {
namespace {

constexpr std::size_t kept = 256;
constexpr std::string_view names[] = {"pending",  "verifying", "resolved", "loading", "starting", "active", "draining",
                                      "stopping", "unloaded",  "disabled", "refused", "failed",   "zombie"};
static_assert(std::size(names) == pluginStates);

}  // namespace

std::string_view nameOf(PluginState state) { return names[static_cast<std::size_t>(state)]; }

void StateLog::enter(StateChange change) {
    change.at = std::chrono::system_clock::now();
    log::emit(PluginEntered, {{"plugin", change.plugin},
                              {"version", change.version},
                              {"file", change.file},
                              {"state", nameOf(change.state)},
                              {"reason", change.reason}});
    const std::lock_guard lock(mutex_);
    ++counts_[static_cast<std::size_t>(change.state)];
    if (changes_.size() == kept) changes_.pop_front();
    changes_.push_back(std::move(change));
}

std::vector<StateChange> StateLog::changes() const {
    const std::lock_guard lock(mutex_);
    return {changes_.begin(), changes_.end()};
}

StateLog::Counts StateLog::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

}  // namespace postbus::deployer
