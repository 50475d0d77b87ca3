#include "plugins/deployer/retirement.hpp"

#include <algorithm>
#include <utility>

#include "plugins/deployer/deployer_events.hpp"

#if defined(POSTBUS_ASAN)
#include <sanitizer/lsan_interface.h>
#endif

namespace postbus::deployer {
namespace {

// For the leak checker.
void leftOnPurpose([[maybe_unused]] const void* object) {
#if defined(POSTBUS_ASAN)
    __lsan_ignore_object(object);
#endif
}

}  // namespace

Retirement::~Retirement() { giveUp(); }

void Retirement::expect(Generation& generation, std::string file, std::string hash, bool bundled, TimePoint deadline) {
    Leaving leaving;
    leaving.row = {generation.plugin(),  generation.version(),  std::move(file), std::move(hash),
                   "its last calls end", PluginState::Draining, bundled,         generation.serviceNames()};
    leaving.copy = generation.copy();
    leaving.since = Clock::now();
    leaving.deadline = deadline;
    enter(PluginState::Draining, leaving.row);
    leaving_.emplace(&generation, std::move(leaving));
}

TimePoint Retirement::progress() {
    for (Generation* each = reaper_->takeAll(); each;) {
        Generation* following = each->next;
        unheld_.push_back(each);
        each = following;
    }
    std::erase_if(unheld_, [this](Generation* each) {
        if (each->entered()) return false;
        const auto leaving = leaving_.extract(each);
        finish(each, leaving ? leaving.mapped() : Leaving{});
        return true;
    });

    const TimePoint now = Clock::now();
    TimePoint next = unheld_.empty() ? TimePoint::max() : now + milliseconds(1);
    for (auto& [generation, leaving] : leaving_) {
        if (leaving.overdue) continue;
        if (now < leaving.deadline) {
            next = std::min(next, leaving.deadline);
            continue;
        }
        leaving.overdue = true;
        leaving.row.state = PluginState::Zombie;
        generation->giveUpMessages();
        leaving.row.reason = "calls to it did not end within the drain time; it stays mapped";
        ++overdue_[leaving.row.name];
        enter(PluginState::Zombie, leaving.row, leaving.row.reason);
        log::emit(PluginUnloadOverdue, {{"plugin", leaving.row.name}, {"version", leaving.row.version}});
    }
    return next;
}

void Retirement::finish(Generation* generation, const Leaving& leaving) {
    const std::unique_ptr<Generation> owned(generation);
    const std::string plugin = owned->plugin(), version = owned->version();
    enter(PluginState::Stopping, leaving.row);
    activity_.begin("the stop of plugin " + plugin + " " + version);
    owned->stop();
    activity_.end();
    if (leaving.overdue) {
        // It came to an end after all, but it was given up: who was stuck in it once may have left more behind.
        stuck_.insert(owned->copy());
        owned->abandon();
        log::emit(PluginUnloadFailed, {{"plugin", plugin},
                                       {"version", version},
                                       {"reason", "its last call ended after the drain time; it was stopped"}});
        return;
    }
    if (owned->unload()) {
        enter(PluginState::Unloaded, leaving.row);
        const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - leaving.since).count();
        log::emit(PluginUnloaded, {{"plugin", plugin}, {"version", version}, {"drain-millis", took}});
        return;
    }
    stuck_.insert(owned->copy());
    const std::string reason = "something holds it: a thread it started, or a library that depends on it";
    enter(PluginState::Zombie, leaving.row, reason);
    log::emit(PluginUnloadFailed, {{"plugin", plugin}, {"version", version}, {"reason", reason}});
}

void Retirement::enter(PluginState state, const PluginStatus& row, std::string reason) {
    StateChange change;
    change.state = state;
    change.plugin = row.name;
    change.version = row.version;
    change.file = row.file;
    change.hash = row.hash;
    change.reason = std::move(reason);
    states_.enter(std::move(change));
}

std::size_t Retirement::overdue(const std::string& plugin) const {
    const auto found = overdue_.find(plugin);
    return found == overdue_.end() ? 0 : found->second;
}

void Retirement::addPathsInUse(std::set<std::string>& paths) const {
    for (const auto& [generation, leaving] : leaving_) paths.insert(leaving.copy);
    paths.insert(stuck_.begin(), stuck_.end());
}

void Retirement::addStatus(std::vector<PluginStatus>& rows) const {
    for (const auto& [generation, leaving] : leaving_) rows.push_back(leaving.row);
}

void Retirement::giveUp() {
    // Their memory is left as well: a late answer still hands them to the reaper, which outlives us.
    for (const auto& [generation, leaving] : leaving_) {
        leftOnPurpose(generation);
        log::emit(PluginUnloadFailed, {{"plugin", leaving.row.name},
                                       {"version", leaving.row.version},
                                       {"reason", "calls to it have not ended; it is left as it is"}});
    }
    leaving_.clear();
    unheld_.clear();
}

}  // namespace postbus::deployer
