#include "server/config/daemon_config.hpp"

#include "server/config/endpoint_checks.hpp"
#include "server/config/listener_checks.hpp"

namespace postbus::server {

void PluginsConfig::validate(const config::Site& site) {
    if (folder.empty()) site["folder"].refuse("is empty; name a folder");
}

void AdminConfig::validate(const config::Site& site) {
    if (listen != off) checkAddress(listen, site["listen"], "; or off for none");
    if (socket.empty()) site["socket"].refuse("is empty; name a file, or off for none");
    if (listen == off && socket == off)
        site["socket"].refuse("is off, and so is admin.listen: nothing could reload or watch the daemon");
}

void AccessLogConfig::validate(const config::Site& site) {
    if (file.empty()) site["file"].refuse("is empty; name a file, or stderr");
}

void WorkersConfig::validate(const config::Site& site) {
    constexpr std::uint32_t mostThreads = 4'096;
    if (threads == 0) site["threads"].refuse("is 0; operations that block need at least one thread");
    if (threads > mostThreads) site["threads"].refuse("is more than " + std::to_string(mostThreads));
    if (queue == 0) site["queue"].refuse("is 0; calls wait there for a thread, at least one must be able to");
}

void DaemonConfig::validate(const config::Site& site) {
    const config::Site httpSite = site["transports"]["http"];
    checkHttp(transports.http, httpSite);
    inheritLimits(transports.http, httpSite);
    for (auto& [name, endpoint] : endpoints) completeEndpoint(name, endpoint, site["endpoints"][name]);
    checkListenerNames(endpoints, transports.http, site["endpoints"]);
    checkPathsClaimedOnce(endpoints, site["endpoints"]);
    checkQueues(*this, site);
    checkOut(*this, site);
}

}  // namespace postbus::server
