#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/endpoint/endpoint.hpp"
#include "core/forward.hpp"
#include "plugins/deployer/order.hpp"
#include "plugins/deployer/plugin_state.hpp"
#include "plugins/deployer/state_log.hpp"
#include "plugins/messaging/forward.hpp"

namespace postbus::deployer {

/// A service that may be routed to. Copies keep its plugin's generation loaded.
struct ActiveService {
    std::string name;    ///< endpoint name
    std::string path;    ///< its default HTTP path
    std::string plugin;  ///< name of the plugin it comes from
    std::shared_ptr<core::Endpoint> endpoint;
};

struct PluginStatus {
    std::string name, version, file, hash, reason;
    PluginState state = PluginState::Pending;
    bool bundled = false;
    std::vector<std::string> services;
};

struct DeployerOptions {
    std::string folder;                ///< watched
    std::string cache;                 ///< private copies, by content hash
    std::string bundled;               ///< read-only folder; empty: none
    std::string probe;                 ///< the probe program (postbus-probe)
    core::Bus* bus = nullptr;          ///< where plugins call other endpoints; null: they can't
    messaging::Hub* queues = nullptr;  ///< what plugins have of the queues; null: nothing
    milliseconds quiet{250};
    milliseconds drain{30'000};
};

/// Loads plugins from a folder, replaces and removes them while calls go on.
///
/// One thread of its own watches, loads, starts, stops and unloads; callers never wait for it. It tells the bus by
/// `publish`, with every service that may serve from now on; an error from there (a path taken twice) refuses the
/// newcomer and is logged. A generation is stopped and unmapped when the last copy of its ActiveService and the last
/// exchange are gone.
class Deployer {
public:
    using Publish = std::function<Result<void>(const std::vector<ActiveService>&)>;

    Deployer(DeployerOptions options, Publish publish);
    ~Deployer();

    /// Loads the bundled plugins and what lies in the folder, publishes, then watches. Returns when that first round is
    /// done.
    void start();
    /// Publishes nothing any more, drains, stops and unloads all, at the latest at `deadline`.
    void stop(TimePoint deadline);

    /// The services of the moment, for a reload's new table.
    std::vector<ActiveService> services() const;
    std::vector<PluginStatus> status() const;
    /// Why nothing is taken from the deploy folder, for people; empty when it is.
    std::string folderTrouble() const;
    /// The last changes of state, oldest first, and how often each was entered.
    std::vector<StateChange> changes() const;
    StateLog::Counts counts() const;

    /// Carries an order out and waits for its outcome: Invalid, when what is to be deployed was refused, NotFound,
    /// Timeout, Unavailable. Any thread but the deployer's and a loop's.
    Result<OrderDone> perform(Order order, TimePoint until);

private:
    struct State;
    std::shared_ptr<State> state_;  // the thread's as well, should it never come out of a plugin
};

}  // namespace postbus::deployer
