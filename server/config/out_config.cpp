#include "server/config/out_config.hpp"

#include <algorithm>
#include <utility>

#include "config/reader.hpp"
#include "core/routing/out_name.hpp"
#include "interceptors/addressing/allowed_addresses.hpp"
#include "server/config/backend_checks.hpp"
#include "server/config/daemon_config.hpp"

namespace postbus::server {
namespace {

EndpointConfig endpointOf(const OutConfig& out, const EndpointConfig& of) {
    EndpointConfig endpoint;
    endpoint.to = out.to;
    endpoint.callbacks = out.addresses;
    endpoint.http.emplace();  // reached by its name alone
    endpoint.send = out.send;
    endpoint.backend = out.backend;
    endpoint.soap = of.soap;
    endpoint.limits.timeout = out.timeout;
    return endpoint;
}

void checkAddresses(const OutConfig& out, const config::Site& site) {
    for (std::size_t i = 0; i < out.addresses.size(); ++i)
        if (auto good = addressing::AllowedAddresses::checkPattern(out.addresses[i]); !good)
            site["addresses"][i].refuse(config::inQuotes(out.addresses[i]) + " " + good.error().message());
}

/// What is said of the way, for ways that are there.
void checkMeans(const OutConfig& out, const EndpointConfig& endpoint, const config::Site& site) {
    const auto anyAddress = [&](std::string_view scheme) {
        return std::any_of(out.addresses.begin(), out.addresses.end(),
                           [&](const std::string& each) { return each.starts_with(scheme); });
    };
    if (out.send && !endpoint.toDestination()) {
        if (anyAddress("jms:"))
            checkSend(*out.send, site["send"]);
        else
            site["send"].refuse("is for queue:NAME, topic:NAME and jms: addresses");
    }
    if (out.backend && !endpoint.remote()) {
        if (anyAddress("http"))
            checkBackend(*out.backend, site["backend"]);
        else
            site["backend"].refuse("is for http:// addresses");
    }
}

void checkOne(const std::string& message, const OutConfig& out, const EndpointConfig& of, const config::Site& site) {
    if (message.empty()) site.refuse("the name of an out message is empty");
    if (config::hasControlCharacter(message)) site.refuse("the name of an out message has a control character");
    EndpointConfig endpoint = endpointOf(out, of);
    if (endpoint.send && !endpoint.send->pattern.empty()) {
        site["send"]["pattern"].refuse("is the service's to say, which begins the exchange");
        endpoint.send->pattern.clear();
    }
    checkAddresses(out, site);
    if (endpoint.remote())
        checkRemote(endpoint, site);
    else if (endpoint.toDestination())
        checkDestination(endpoint, site);
    else if (!out.to.empty())
        site["to"].refuse(config::inQuotes(out.to) +
                          " can't take messages; write queue:NAME, topic:NAME or http://HOST:PORT/PATH");
    else if (out.addresses.empty())
        site.refuse(
            "leads nowhere; give it to: queue:NAME, topic:NAME or http://HOST:PORT/PATH, or addresses that its "
            "messages may name");
    checkMeans(out, endpoint, site);
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
