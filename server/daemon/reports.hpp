#pragma once

#include <atomic>
#include <string>

#include "admin/admin_server.hpp"
#include "admin/management.hpp"
#include "server/daemon/parts.hpp"
#include "server/daemon/progress.hpp"
#include "server/daemon/reload_requests.hpp"

namespace postbus::server {

/// What the admin interface tells of this daemon. Borrows all it reads.
class Reports : public admin::Management {
public:
    struct Identity {
        std::string configFile, stateFolder;
    };
    Reports(Parts& parts, const Progress& progress, ReloadRequests& reloads, Identity identity)
        : parts_(parts), progress_(progress), reloads_(reloads), identity_(std::move(identity)) {}

    /// The server that shows these reports, for its own listeners. Before it takes requests.
    void shownBy(const admin::AdminServer& server) { admin_ = &server; }

    /// At the start not before every endpoint of the configuration has its service: a roll-out that forgot a plugin
    /// gets no traffic. Once ready, a service that goes missing is told by status and endpoints and answers 503 at its
    /// paths, but the daemon stays ready: the other services shall not lose their traffic for it. While the queue store
    /// is out of service it is not ready.
    admin::ReadyReport ready() const override;
    admin::StatusReport status() const override;
    std::vector<admin::EndpointReport> endpoints() const override;
    std::vector<admin::PluginReport> plugins() const override;
    std::string pluginTrouble() const override;
    std::vector<admin::PluginChange> pluginChanges() const override;
    std::vector<std::pair<std::string, std::uint64_t>> pluginCounts() const override;
    Result<admin::PluginDone> order(admin::PluginOrder&& order) override;
    admin::ExchangesReport exchanges() const override;
    admin::ReloadReport reload() override { return reloads_.ask(); }
    Result<std::shared_ptr<queues::Engine>> queues(Need need) override {
        return need == Need::Open ? parts_.queues.engine() : parts_.queues.engineIfAny();
    }
    Result<void> reopenQueues() override { return parts_.queues.reopen(); }

private:
    Parts& parts_;
    const Progress& progress_;
    ReloadRequests& reloads_;
    Identity identity_;
    const admin::AdminServer* admin_ = nullptr;
    mutable std::atomic<bool> wasReady_{false};
};

}  // namespace postbus::server
