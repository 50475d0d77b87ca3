#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/bus.hpp"
#include "plugins/messaging/hub.hpp"
#include "queues/engine/engine.hpp"
#include "server/config/daemon_config.hpp"
#include "transports/queue/queue_transport.hpp"

namespace postbus::server {

/// The queues of a daemon: the engine, which is there from its first use on, and the endpoints that take from it.
///
/// A store that can't be opened, or fails, takes nothing else down: its endpoints take nothing until reopen(). Any
/// thread.
class Queues {
public:
    /// `folder` is made when it is needed.
    Queues(core::Bus& bus, std::string folder)
        : folder_(std::move(folder)), transport_(bus), plugins_(bus, [this] { return engine(); }) {}

    /// At the start, and at a reload: has these queues, with these settings, and these endpoints take from them.
    void configure(const DaemonConfig& config);
    /// Opens the store when nobody has yet. Waits for the disk.
    Result<std::shared_ptr<queues::Engine>> engine();
    /// The one that is open now, or null; waits for nothing.
    std::shared_ptr<queues::Engine> current() const;
    /// The same, but null where there never was a queue.
    Result<std::shared_ptr<queues::Engine>> engineIfAny();
    /// Closes the store, whatever became of it, and opens it anew; endpoints take again. Waits for the disk.
    Result<void> reopen();
    /// Whether the store has failed and the configuration wants the daemon to end then. It has been sent SIGTERM.
    bool wantExit() const { return exiting_; }
    /// Why the queues are out of service; empty: they are not.
    std::string trouble() const;

    /// The endpoints of the configuration that take nothing from their queue, and why.
    std::vector<queue::QueueTransport::Refused> refused() const { return transport_.refused(); }

    /// What plugins have of them.
    messaging::Hub& plugins() { return plugins_; }

    /// Neither endpoints nor plugins take messages any more; lets what was begun end, until `deadline`. What is sent is
    /// taken still.
    void drain(TimePoint deadline);
    /// After that: stops the engine.
    void stop();

private:
    Result<void> open();
    void apply();
    void onFailed();

    const std::string folder_;
    std::mutex changing_;  // one change at a time; before mutex_
    std::map<std::string, queues::QueueSettings> settings_;
    std::vector<queue::QueueEndpoint> endpoints_;
    queue::QueueTransport transport_;
    messaging::Hub plugins_;
    bool stopped_ = false;
    std::atomic<bool> exitOnFailure_{false}, exiting_{false};

    mutable std::mutex mutex_;  // for the pointer and the text
    std::shared_ptr<queues::Engine> engine_;
    std::string trouble_;
};

}  // namespace postbus::server
