#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/routing/callbacks.hpp"
#include "endpoints/destination/queue_client.hpp"
#include "plugins/deployer/deployer.hpp"
#include "server/config/daemon_config.hpp"
#include "transports/http/client/http_client.hpp"

namespace postbus::server {

/// Endpoints that lead out of the bus, as if they were services: to a remote one, to a queue or topic, to the callback
/// addresses of messages. Each stays what it is while its configuration does, and with it what it has fetched. Not
/// thread-safe.
class Outside {
public:
    /// `client` calls remote services, `queueClient` sends to queues; without them there is nothing outside.
    Outside(http::HttpClient* client, destination::QueueClient* queueClient)
        : client_(client), queueClient_(queueClient) {}

    struct Place {
        deployer::ActiveService service;
        std::shared_ptr<core::Callbacks> callbacks;  ///< null: its messages name no address
    };
    /// By a configuration that has been checked and leads out. Valid until the next call; null without the clients.
    const Place* at(const std::string& name, const EndpointConfig& config);
    /// Forgets the others.
    void keep(const std::map<std::string, EndpointConfig>& endpoints);
    void clear() { known_.clear(); }

private:
    std::shared_ptr<core::Endpoint> makeEndpoint(const std::string& name, const EndpointConfig& config) const;

    struct Known {
        Place place;
        EndpointConfig config;
    };
    http::HttpClient* const client_;
    destination::QueueClient* const queueClient_;
    std::map<std::string, Known> known_;
};

}  // namespace postbus::server
