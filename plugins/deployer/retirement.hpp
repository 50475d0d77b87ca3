#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "plugins/deployer/activity.hpp"
#include "plugins/deployer/deployer.hpp"
#include "plugins/deployer/generation.hpp"
#include "plugins/deployer/reaper.hpp"
#include "plugins/deployer/state_log.hpp"

namespace postbus::deployer {

/// The generations that serve no more, until their code is unmapped. For the deployer's thread.
class Retirement {
public:
    Retirement(std::shared_ptr<Reaper> reaper, Activity& activity, StateLog& states)
        : reaper_(std::move(reaper)), activity_(activity), states_(states) {}
    ~Retirement();

    /// Awaits one that is about to be let go of; its last call should end before `deadline`.
    void expect(Generation& generation, std::string file, std::string hash, bool bundled, TimePoint deadline);
    /// Stops and unloads those that nobody holds any more, and tells of those that are overdue. Returns when to look
    /// again, TimePoint::max() when nothing but the reaper's event can change anything.
    TimePoint progress();

    /// Whether there is something left to wait for.
    bool empty() const { return leaving_.empty(); }
    /// How many generations of a plugin have missed their deadline.
    std::size_t overdue(const std::string& plugin) const;
    /// Copies that code is still mapped from.
    void addPathsInUse(std::set<std::string>& paths) const;
    void addStatus(std::vector<PluginStatus>& rows) const;
    /// Time is up: what has not ended stays as it is for the rest of the process.
    void giveUp();

private:
    struct Leaving {
        PluginStatus row;
        std::string copy;
        TimePoint since, deadline;
        bool overdue = false, unheld = false;
    };
    void finish(Generation* generation, const Leaving& leaving);
    void enter(PluginState state, const PluginStatus& row, std::string reason = {});

    std::shared_ptr<Reaper> reaper_;
    Activity& activity_;
    StateLog& states_;
    std::map<Generation*, Leaving> leaving_;
    std::vector<Generation*> unheld_;  // nobody holds them; a thread may be on its way out
    std::set<std::string> stuck_;      // copies that could not be unmapped
    std::map<std::string, std::size_t> overdue_;
};

}  // namespace postbus::deployer
