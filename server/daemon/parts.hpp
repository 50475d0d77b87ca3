#pragma once

#include <string>

#include "core/bus.hpp"
#include "core/watchdog/watchdog.hpp"
#include "endpoints/destination/queue_client.hpp"
#include "plugins/deployer/deployer.hpp"
#include "server/composition/composition.hpp"
#include "server/config/daemon_config.hpp"
#include "server/daemon/queues.hpp"
#include "server/daemon/state_folder.hpp"
#include "transports/http/http_transport.hpp"
#include "transports/queue/queue_sender.hpp"

namespace postbus::server {

/// The parts of the bus, in the order they need each other: the later ones use the earlier.
struct Parts {
    Parts(const DaemonConfig& config, const StateFolder& state);

    core::Bus bus;
    core::Watchdog watchdog;
    http::HttpTransport http;
    Queues queues;
    queue::QueueSender queueSender;
    destination::QueueClient queueClient;
    Composition composition;
    deployer::Deployer deployer;
};

/// The folder of this program's file.
std::string programFolder();

}  // namespace postbus::server
