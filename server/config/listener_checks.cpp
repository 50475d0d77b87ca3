#include "server/config/listener_checks.hpp"

#include <map>
#include <vector>

#include "base/net/address.hpp"
#include "config/reader.hpp"

namespace postbus::server {
namespace {

constexpr std::uint32_t mostThreads = 1'024;

void checkNetworks(const std::vector<std::string>& networks, const config::Site& site) {
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const auto network = net::Network::parse(networks[i]);
        if (!network) site[i].refuse(config::inQuotes(networks[i]) + " " + network.error().message());
    }
}

void checkLimits(const http::HttpLimits& limits, const config::Site& site) {
    constexpr ByteSize leastHeaders = 1_KiB, mostHeaders = 1_MiB;
    if (limits.headers < leastHeaders || limits.headers > mostHeaders)
        site["headers"].refuse("is out of the range from 1KiB to 1MiB");
    if (limits.headerCount == 0) site["header-count"].refuse("is 0; a request has at least a Host");
    if (limits.connections == 0) site["connections"].refuse("is 0; nobody could connect");
}

bool takesFreePort(const http::HttpListenerConfig& listener) {
    const auto address = net::parseListenAddress(listener.address);
    return address && address->socket.empty() && address->port == 0;
}

}  // namespace

void checkAddress(const std::string& address, const config::Site& site, std::string_view alternative) {
    const auto parsed = net::parseListenAddress(address);
    if (address.empty()) {
        site.refuse("is missing; write HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH" + std::string(alternative));
    } else if (!parsed)
        site.refuse(config::inQuotes(address) + " " + parsed.error().message() + std::string(alternative));
}

void checkHttp(const http::HttpConfig& config, const config::Site& site) {
    if (config.threads > mostThreads) site["threads"].refuse("is more than " + std::to_string(mostThreads));
    checkLimits(config.limits, site["limits"]);

    std::map<std::string_view, config::Site> addresses, names;
    for (std::size_t i = 0; i < config.listen.size(); ++i) {
        const http::HttpListenerConfig& listener = config.listen[i];
        const config::Site here = site["listen"][i];
        checkAddress(listener.address, here["address"]);
        if (listener.limits) checkLimits(*listener.limits, here["limits"]);
        checkNetworks(listener.trustedProxies, here["trusted-proxies"]);
        checkNetworks(listener.allow, here["allow"]);
        checkNetworks(listener.deny, here["deny"]);

        const bool ownPort = takesFreePort(listener);
        if (ownPort && listener.name.empty()) continue;  // several of these are several addresses
        const auto [address, isNewAddress] = addresses.try_emplace(listener.address, here["address"]);
        if (!isNewAddress && !ownPort) {
            here["address"].refuse(config::inQuotes(listener.address) + " is listened on already by " +
                                   address->second.described());
            continue;
        }
        const auto [name, isNewName] = names.try_emplace(nameOf(listener), here["name"]);
        if (!isNewName)
            here["name"].refuse("the name " + config::inQuotes(nameOf(listener)) + " is taken by " +
                                name->second.described());
    }
}

void inheritLimits(http::HttpConfig& config, const config::Site& site) {
    for (std::size_t i = 0; i < config.listen.size(); ++i) {
        if (!config.listen[i].limits) continue;
        http::HttpLimits limits = config.limits;
        site["listen"][i]["limits"].readOver(limits);
        config.listen[i].limits = limits;
    }
}

}  // namespace postbus::server
