// Which file stands for which plugin.
#include <algorithm>
#include <tuple>

#include "plugins/deployer/engine.hpp"

namespace postbus::deployer {

void Engine::reconcile() {
    // A plugin that goes may free a path that another waits for. Each pass settles at least one of them.
    for (std::uint64_t before = 0; before != epoch_;) {
        before = epoch_;
        findLeaving();
        std::vector<std::tuple<bool, std::string>> plugins;  // bundled ones first: at each start the same wins
        for (const auto& [path, entry] : entries_)
            if (entry.content) plugins.emplace_back(!entry.bundled, entry.content->identity.plugin);
        std::sort(plugins.begin(), plugins.end());
        std::set<std::string> done;
        for (const auto& [later, plugin] : plugins)
            if (done.insert(plugin).second) reconcile(plugin);
        // Those whose place a newcomer was to take, and that it could not take after all, have their claim back.
        findLeaving();
        if (!leaving_.empty()) withdrawLeaving();
    }
    assignStandings();
}

void Engine::reconcile(const std::string& plugin) {
    const auto active = active_.find(plugin);
    for (Entry* entry : candidates(plugin)) {
        const bool serves = active != active_.end() && active->second.path == entry->path;
        // What serves stays until its file has become something better.
        if (!entry->fit() || entry->turnedDownIn(epoch_)) {
            if (serves) return;
            continue;
        }
        if (active != active_.end() && active->second.key == entry->content->key) {
            Active& its = active->second;
            its.path = entry->path;
            its.file = entry->file;
            its.bundled = entry->bundled;
            return;
        }
        if (deploy(*entry) || serves) return;
    }
}

std::vector<Entry*> Engine::candidates(const std::string& plugin) {
    std::vector<Entry*> found = all(plugin);
    std::erase_if(found, [this](const Entry* each) { return isDisabled(*each); });
    return found;
}

/// Its files, those first that stand for it before others.
std::vector<Entry*> Engine::all(const std::string& plugin) {
    const auto active = active_.find(plugin);
    const std::string serving = active == active_.end() ? "" : active->second.path;
    std::vector<Entry*> found;
    for (auto& [path, entry] : entries_)
        if (entry.content && entry.content->identity.plugin == plugin) found.push_back(&entry);
    const auto rank = [&](const Entry* each) { return std::tuple(each->bundled, each->path != serving, each->file); };
    std::sort(found.begin(), found.end(), [&](const Entry* a, const Entry* b) { return rank(a) < rank(b); });
    return found;
}

bool Engine::hasClaim(const std::string& plugin, const Active& active) const {
    for (const auto& [path, entry] : entries_) {
        if (isDisabled(entry) || !entry.content) continue;
        const bool serves = path == active.path;
        if (entry.content->identity.plugin == plugin && (serves || (entry.fit() && !entry.turnedDownIn(epoch_))))
            return true;
        // Its file has become another plugin, which can't be put to service.
        if (serves && entry.turnedDownIn(epoch_)) return true;
    }
    return false;
}

/// Whether there is no file at this path any more.
bool Engine::isGoing(const std::string& path) const {
    const auto at = entries_.find(path);
    return at == entries_.end() || at->second.gone;
}

void Engine::findLeaving() {
    leaving_.clear();
    for (const auto& [plugin, active] : active_)
        if (!hasClaim(plugin, active)) leaving_.insert(plugin);
}

void Engine::assignStandings() {
    for (auto& [path, entry] : entries_) {
        if (!entry.fit()) continue;
        const auto active = active_.find(entry.content->identity.plugin);
        if (isDisabled(entry)) {
            const bool was = entry.standing == PluginState::Disabled;
            entry.standing = PluginState::Disabled;
            entry.reason = "hidden by " + entry.stem + ".disabled";
            if (!was) enter(PluginState::Disabled, entry, entry.reason);
        } else if (active != active_.end() && active->second.path == path && active->second.key == entry.content->key) {
            entry.standing = PluginState::Active;
            entry.reason.clear();
        } else if (entry.turnedDownIn(epoch_)) {
            continue;  // turnDown() has said it
        } else if (entry.bundled) {
            entry.standing = PluginState::Disabled;
            entry.reason =
                active == active_.end() ? "" : "replaced by " + active->second.file + " of the deploy folder";
        } else if (active != active_.end() && isGoing(active->second.path)) {
            // As when a file is renamed: it is no second one, and takes over in a moment.
            entry.standing = PluginState::Resolved;
            entry.reason = "takes over from " + active->second.file + ", which is gone";
        } else if (active != active_.end()) {
            entry.standing = PluginState::Refused;
            entry.reason =
                "plugin " + active->first + " is served by " + active->second.file + " already; remove one of the two";
            tellRefusal(entry, entry.standing, entry.content->hash, entry.reason);
        }
    }
}

}  // namespace postbus::deployer
