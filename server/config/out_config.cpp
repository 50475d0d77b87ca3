#include "server/config/out_config.hpp"

#include <utility>

#include "config/reader.hpp"
#include "core/routing/out_name.hpp"
#include "server/config/backend_checks.hpp"
#include "server/config/daemon_config.hpp"

namespace postbus::server {
namespace {

EndpointConfig endpointOf(const OutConfig& out, const EndpointConfig& of) {
    EndpointConfig endpoint;
    endpoint.to = out.to;
    endpoint.http.emplace();  // reached by its name alone
    endpoint.send = out.send;
    endpoint.backend = out.backend;
    endpoint.soap = of.soap;
    endpoint.limits.timeout = out.timeout;
    return endpoint;
}

void checkOne(const std::string& message, const OutConfig& out, const EndpointConfig& of, const config::Site& site) {
    if (message.empty()) site.refuse("the name of an out message is empty");
    if (config::hasControlCharacter(message)) site.refuse("the name of an out message has a control character");
    EndpointConfig endpoint = endpointOf(out, of);
    if (endpoint.send && !endpoint.send->pattern.empty()) {
        site["send"]["pattern"].refuse("is the service's to say, which begins the exchange");
        endpoint.send->pattern.clear();
    }
    if (endpoint.remote())
        checkRemote(endpoint, site);
    else if (endpoint.toDestination())
        checkDestination(endpoint, site);
    else
        site["to"].refuse(config::inQuotes(out.to) +
                          " can't take messages; write queue:NAME, topic:NAME or http://HOST:PORT/PATH");
    if (out.send && !endpoint.toDestination()) site["send"].refuse("is for queue:NAME and topic:NAME");
    if (out.backend && !endpoint.remote()) site["backend"].refuse("is for http:// addresses");
}

}  // namespace

void checkOut(const DaemonConfig& config, const config::Site& site) {
    std::map<std::string, std::string> by;  // the name of what is sent, the endpoint that says where to
    for (const auto& [name, endpoint] : config.endpoints) {
        const config::Site here = site["endpoints"][name]["out"];
        if (endpoint.leadsOut() && !endpoint.out.empty()) {
            here.refuse("stands at an endpoint that leads to no service of this bus; only a service sends messages");
            continue;
        }
        for (const auto& [message, out] : endpoint.out) {
            checkOne(message, out, endpoint, here[message]);
            const std::string sent = core::outName(endpoint.service(), message);
            const auto [at, fresh] = by.emplace(sent, name);
            if (!fresh)
                here[message].refuse("endpoint " + config::inQuotes(at->second) + " says already where " +
                                     config::inQuotes(message) + " of this service goes to");
            if (config.endpoints.contains(sent))
                here[message].refuse("is known as " + config::inQuotes(sent) + ", which is an endpoint as well");
        }
    }
}

std::map<std::string, EndpointConfig> withOut(std::map<std::string, EndpointConfig> endpoints) {
    std::map<std::string, EndpointConfig> more;
    for (const auto& [name, endpoint] : endpoints)
        for (const auto& [message, out] : endpoint.out)
            more.emplace(core::outName(endpoint.service(), message), endpointOf(out, endpoint));
    endpoints.merge(std::move(more));
    return endpoints;
}

}  // namespace postbus::server
