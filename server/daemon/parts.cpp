#include "server/daemon/parts.hpp"

#include <unistd.h>

#include <climits>
#include <memory>

#include "server/daemon/answer_delivery.hpp"

namespace postbus::server {
namespace {

deployer::DeployerOptions deployerOptions(const DaemonConfig& config, const StateFolder& state, core::Bus& bus,
                                          Queues& queues) {
    deployer::DeployerOptions options;
    options.bus = &bus;
    options.queues = &queues.plugins();
    options.folder = state.makeFolder(config.plugins.folder);
    options.cache = state.makeFolder("cache");
    options.quiet = config.plugins.quiet;
    options.drain = config.plugins.drain;
    if (config.plugins.bundled) options.bundled = programFolder() + "/../lib/postbus/plugins";
    options.probe = programFolder() + "/postbus-probe";
    return options;
}

}  // namespace

std::string programFolder() {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    std::string file(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    return file.substr(0, file.rfind('/'));
}

Parts::Parts(const DaemonConfig& config, const StateFolder& state)
    : bus(config.workers.threads, config.workers.queue),
      watchdog(bus),
      http(bus, "http", config.transports.http.threads),
      queues(bus, state.inside("queues")),
      queueSender([this] { return queues.current(); }),
      queueClient([this] { return queues.current(); }),
      composition(bus, config.endpoints, std::make_shared<AnswerDelivery>(bus.senders(), queues), &http.client(),
                  &queueClient),
      deployer(deployerOptions(config, state, bus, queues),
               [this](const auto& services) { return composition.publish(services); }) {
    bus.senders().add("http", http.sender());
    bus.senders().add("jms", queueSender);
}

}  // namespace postbus::server
