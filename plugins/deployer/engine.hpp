#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugins/deployer/activity.hpp"
#include "plugins/deployer/cache.hpp"
#include "plugins/deployer/deployer.hpp"
#include "plugins/deployer/entry.hpp"
#include "plugins/deployer/folder.hpp"
#include "plugins/deployer/generation.hpp"
#include "plugins/deployer/history.hpp"
#include "plugins/deployer/reaper.hpp"
#include "plugins/deployer/retirement.hpp"
#include "plugins/deployer/state_log.hpp"
#include "plugins/deployer/trials.hpp"
#include "plugins/deployer/watch.hpp"

namespace postbus::deployer {

/// The work of the deployer: looks at the files, decides, loads, publishes, retires. One thread calls it.
class Engine {
public:
    Engine(DeployerOptions options, Deployer::Publish publish, std::shared_ptr<Reaper> reaper, StateLog& states);

    ~Engine();

    /// Checks what must be there; throws std::runtime_error.
    void prepare();
    /// One look at everything. Returns when the next is due, if nothing happens before.
    TimePoint round();
    /// Whether a file waits for nothing but its quiet period.
    bool settling() const { return settling_; }
    /// Whether one is being tried out.
    bool trying() const;
    /// While `hold`, nothing is put to service as long as one is being tried out: those of the start come together.
    void holdBack(bool hold) { heldBack_ = hold; }
    int watchDescriptor() const { return watch_.descriptor(); }
    void clearWatch() { watch_.clear(); }
    /// Takes an order; the next rounds carry it out.
    void hand(OrderDesk::Handed order);
    /// Answers those that have come to an end; what they led to shows by then.
    void answerOrders();
    /// Those that have not are given up.
    void refuseOrders();
    /// Publishes once, even if there is nothing: called after the first round.
    void publishIfNever();

    /// Lets go of all services.
    void retireAll(TimePoint deadline);
    Retirement& retirement() { return retirement_; }
    /// Thread-safe, unlike the rest.
    const Activity& activity() const { return activity_; }

    std::vector<ActiveService> services() const;
    std::vector<PluginStatus> status() const;
    /// Why nothing is taken from the deploy folder; empty when it is.
    const std::string& folderTrouble() const { return folderTrouble_; }

private:
    struct Active {
        std::shared_ptr<Generation> generation;
        std::string path;  ///< of the entry that it serves for
        std::string file, hash, key;
        bool bundled = false;
    };

    // Files (engine_files.cpp).
    void look();
    void take(const Listing& listing, const std::string& folder, bool bundled);
    void examine(Entry& entry);
    bool rests(const Entry& entry);
    Result<void> inspect(Entry& entry);
    Result<void> describe(Entry& entry, Content content);
    Result<Content> admit(Entry& entry, const std::string& bytes, const std::string& hash);
    Result<Identity> identify(Entry& entry, const Content& content);
    void forgetTrials();
    void keep(Entry entry);
    void wait(Entry& entry, std::string reason);
    Result<Listing> listFolder() const;
    void tellFolder(const Result<Listing>& listing);
    void noteFailure(const Entry& entry, const std::string& reason);
    void forgetFailures();

    // Decisions (engine_decisions.cpp).
    void reconcile();
    void reconcile(const std::string& plugin);
    std::vector<Entry*> all(const std::string& plugin);
    std::vector<Entry*> candidates(const std::string& plugin);
    bool hasClaim(const std::string& plugin, const Active& active) const;
    bool isGoing(const std::string& path) const;
    void findLeaving();
    void assignStandings();
    bool isDisabled(const Entry& entry) const { return disabled_.count(entry.stem) != 0; }

    // Orders (engine_orders.cpp).
    struct OrderInHand;
    using Outcome = std::optional<Result<OrderDone>>;  // none: not yet
    void carryOut();
    Outcome carryOut(OrderInHand& order);
    Outcome deployGiven(OrderInHand& order);
    Result<std::string> placeOf(const std::string& plugin, const std::string& file) const;
    Result<OrderDone> putToService(OrderInHand& order, Content content);
    Outcome rollBack(OrderInHand& order);
    Result<OrderDone> undeploy(const std::string& plugin);
    Result<OrderDone> disable(const std::string& plugin);
    Outcome enable(OrderInHand& order);
    OrderDone standingOf(const std::string& plugin, const std::string& file) const;
    std::vector<Entry*> filesOf(const std::string& plugin);
    Error unknown(const std::string& plugin) const;

    // Deeds (engine.cpp).
    bool deploy(Entry& entry);
    Result<std::unique_ptr<Generation>> load(Entry& entry);
    Result<void> offer(const std::string& plugin, const std::shared_ptr<Generation>& newcomer);
    Result<void> publish(const std::vector<ActiveService>& services);
    void replace(Entry& entry, std::shared_ptr<Generation> newcomer, TimePoint begun);
    void withdrawLeaving();
    void undeployLeaving();
    void retire(const Active& active, TimePoint deadline);
    void tellRefusal(Entry& entry, PluginState state, const std::string& content, const std::string& reason);
    void turnDown(Entry& entry, PluginState state, std::uint64_t epoch, const std::string& reason);
    std::set<std::string> pathsInUse() const;
    void pruneCache();
    void wakeAt(TimePoint when) { next_ = std::min(next_, when); }

    void enter(PluginState state, const Entry& entry, std::string reason = {});

    DeployerOptions options_;
    Deployer::Publish publish_;
    std::shared_ptr<Reaper> reaper_;
    Activity activity_;
    StateLog& states_;
    Cache cache_;
    History history_;
    Watch watch_;
    Retirement retirement_;
    Trials trials_;

    std::map<std::string, Entry> entries_;  // by path
    std::map<std::string, Active> active_;  // by plugin
    std::set<std::string> leaving_;         // active plugins that nothing stands for any more
    std::set<std::string> disabled_;        // stems
    std::set<std::string> failed_;          // stems with a NAME.failed
    std::string folderTrouble_;             // why nothing is taken from the folder
    std::list<OrderInHand> orders_;
    std::set<std::string> ignored_;  // told already
    std::uint64_t epoch_ = 1;        // grows when a plugin goes or changes: what was turned down for it may try again
    unsigned loaded_ = 0;
    bool published_ = false, settling_ = false, unwatched_ = false, heldBack_ = false;
    TimePoint next_, pruneAt_;
};

}  // namespace postbus::deployer
