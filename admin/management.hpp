#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/bus.hpp"
#include "core/watchdog/watchdog.hpp"
#include "queues/engine/engine.hpp"
#include "transports/http/http_transport.hpp"

namespace postbus::admin {

struct ListenerReport {
    std::string transport, name, address;  ///< the address as bound, with the real port
    std::uint64_t connections = 0;
};

struct MemoryReport {
    std::uint64_t resident = 0, anonymous = 0;  ///< bytes: all pages, private ones
};

/// Whether traffic may be sent here, and if not, why.
struct ReadyReport {
    bool ready = false;
    std::vector<std::string> reasons;
};

struct StatusReport {
    std::string version, state;  ///< starting, serving, draining
    std::int64_t pid = 0;
    double uptime = 0;  ///< seconds
    std::string configFile, stateFolder;
    std::vector<ListenerReport> listeners;
    core::Bus::Figures exchanges;
    std::vector<core::Watchdog::Lag> loops;
    http::TransportFigures http;
    MemoryReport memory;
    ReadyReport ready;
    std::vector<std::string> troubles;  ///< what does not work although the daemon is ready
    std::vector<std::string> restart;   ///< keys of the file that a restart would bring into force
};

struct EndpointReport {
    std::string name, service, plugin, version;
    std::string state, reason;  ///< serving; waiting: its service is not deployed; unreachable: it has no path, or its
                                ///< queue is refused
    std::string queue;          ///< that it takes messages from, or none
    std::vector<std::string> paths, urls, wsdl, operations;
    std::int64_t open = 0;  ///< exchanges inside
};

struct PluginReport {
    std::string name, version, file, hash, state, reason;
    bool bundled = false;
    std::vector<std::string> services;
};

/// That a plugin entered a state.
struct PluginChange {
    std::chrono::system_clock::time_point at;
    std::string state, plugin, version, file, hash, reason;
};

/// What an operator wants done with a plugin.
struct PluginOrder {
    enum class Kind { Deploy, Undeploy, Rollback, Enable, Disable };
    Kind kind = Kind::Deploy;
    std::string name;   ///< the plugin's; of Deploy the file's
    std::string bytes;  ///< of Deploy
};
struct PluginDone {
    std::string plugin, version, file, former, state;
    bool bundled = false, unchanged = false;
};

struct ExchangeReport {
    std::string id, endpoint, operation, peer;
    milliseconds age{0};
};

struct ExchangesReport {
    std::vector<ExchangeReport> exchanges;  ///< oldest first; of very many only some
    std::int64_t total = 0;                 ///< how many are open
    bool complete = true;                   ///< false: a loop did not answer in time, something blocks it
};

struct ReloadReport {
    bool reloaded = false;
    bool invalid = false;               ///< the file itself is at fault, not what it asks for
    std::vector<std::string> problems;  ///< FILE:LINE:COLUMN: what; why nothing was changed
    std::vector<std::string> restart;   ///< keys that changed and need a restart
};

/// What the admin interface shows and does. The daemon implements it; all of it may be called from several threads.
class Management {
public:
    virtual ~Management() = default;

    // These do not wait: they run on the admin loop.
    virtual ReadyReport ready() const = 0;
    virtual StatusReport status() const = 0;
    virtual std::vector<EndpointReport> endpoints() const = 0;
    virtual std::vector<PluginReport> plugins() const = 0;

    /// Why nothing is taken from the deploy folder; empty when it is.
    virtual std::string pluginTrouble() const { return {}; }
    /// The last changes of state, oldest first, and how often each state was entered.
    virtual std::vector<PluginChange> pluginChanges() const { return {}; }
    virtual std::vector<std::pair<std::string, std::uint64_t>> pluginCounts() const { return {}; }

    /// Waits until the plugin serves or serves no more, or was refused: Invalid, NotFound, Timeout, Unavailable.
    virtual Result<PluginDone> order(PluginOrder&&) {
        return Error(Error::Kind::Unavailable, "there are no plugins here");
    }

    /// Asks every loop; waits a second at most.
    virtual ExchangesReport exchanges() const = 0;
    /// Waits until the file is in force or refused.
    virtual ReloadReport reload() = 0;

    /// The queues. IfAny: null where there never was one. Open: they come to be.
    enum class Need { IfAny, Open };
    virtual Result<std::shared_ptr<queues::Engine>> queues(Need) {
        return Error(Error::Kind::Unavailable, "there are no queues here");
    }
    /// Closes their store and opens it anew.
    virtual Result<void> reopenQueues() { return Error(Error::Kind::Unavailable, "there are no queues here"); }
};

}  // namespace postbus::admin
