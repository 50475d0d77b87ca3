#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/bus.hpp"
#include "endpoints/destination/queue_client.hpp"
#include "interceptors/addressing/answer_sender.hpp"
#include "plugins/deployer/deployer.hpp"
#include "server/composition/endpoint_view.hpp"
#include "server/composition/outside.hpp"
#include "server/config/daemon_config.hpp"
#include "server/config/endpoint_checks.hpp"
#include "transports/http/client/http_client.hpp"

namespace postbus::server {

/// Brings the endpoints of the configuration and the services of the plugins together to the bus's route table.
///
/// The configuration wins: a path it names belongs to the endpoint it names it for. Between plugins the one that serves
/// at a path stays, and publish() says no to the newcomer. All of it may be called from any thread.
class Composition {
public:
    /// `sender` takes answers that go to an address of their own, `client` calls remote services, `queueClient` sends
    /// to queues.
    Composition(core::Bus& bus, Endpoints endpoints, std::shared_ptr<addressing::AnswerSender> sender = nullptr,
                http::HttpClient* client = nullptr, destination::QueueClient* queueClient = nullptr)
        : bus_(bus),
          sender_(std::move(sender)),
          endpoints_(withOut(std::move(endpoints))),
          outside_(client, queueClient) {}

    /// The first round of plugins is done: from now on every change is told in the log, and first what there is now.
    void open();
    /// From now on these endpoints. Cannot fail: what has no service waits, what has no path is unreachable.
    void configure(Endpoints endpoints);
    /// From now on these services; an error leaves everything as it was.
    Result<void> publish(const std::vector<deployer::ActiveService>& services);
    /// Gives up all routes, and with them the plugins.
    void clear();

    std::vector<EndpointView> view() const;
    /// Endpoints of the configuration whose service is not deployed.
    std::vector<std::string> waiting() const;

private:
    struct Draft;
    Result<void> compose(const Endpoints& endpoints, std::vector<deployer::ActiveService> services,
                         bool refuseNewcomers);
    std::shared_ptr<LaneCounter> insideOf(const std::string& endpoint);

    core::Bus& bus_;
    const std::shared_ptr<addressing::AnswerSender> sender_;
    mutable std::mutex mutex_;
    Endpoints endpoints_;
    Outside outside_;
    std::vector<deployer::ActiveService> services_;
    bool open_ = false;
    std::vector<EndpointView> view_;
    std::set<std::string> clashing_;  ///< endpoints that lost a path to another plugin and are known to have
    std::map<std::string, std::shared_ptr<LaneCounter>> inside_;
};

}  // namespace postbus::server
