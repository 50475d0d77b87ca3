#include "server/config/endpoint_checks.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "config/reader.hpp"
#include "server/config/backend_checks.hpp"
#include "server/config/listener_checks.hpp"

namespace postbus::server {
namespace {

constexpr std::string_view serviceScheme = "service:";

/// RFC 3986 section 3.3: a caller's URL with such a segment is another one.
bool hasDotSegment(std::string_view path) {
    while (!path.empty()) {
        path.remove_prefix(1);  // the slash
        const std::string_view segment = path.substr(0, path.find('/'));
        if (segment == "." || segment == "..") return true;
        path.remove_prefix(segment.size());
    }
    return false;
}

void completeSoap(soap::SoapConfig& soap, const config::Site& site) {
    const auto answers = [&](soap::Version version) {
        return std::find(soap.versions.begin(), soap.versions.end(), version) != soap.versions.end();
    };
    if (soap.versions.empty()) {
        site["versions"].refuse("is empty; leave it out for both versions");
        return;
    }
    if (!site["advertise"].given()) {
        if (!answers(soap.advertise.front())) soap.advertise = soap.versions;
        return;
    }
    for (std::size_t i = 0; i < soap.advertise.size(); ++i)
        if (!answers(soap.advertise[i]))
            site["advertise"][i].refuse("is not among the versions that are answered; add it to versions too");
}

/// Calls visit(path, its place) for each path that an endpoint of the document claims.
template <class Visit>
void forEachPath(const Endpoints& endpoints, const config::Site& site, const Visit& visit) {
    for (const auto& [name, endpoint] : endpoints) {
        if (!endpoint.http) continue;
        const config::Site here = site[name]["http"];
        for (std::size_t i = 0; i < endpoint.http->size(); ++i) visit((*endpoint.http)[i], here[i]);
    }
}

}  // namespace

void EndpointPath::validate(const config::Site& site) {
    const config::Site here = site["path"];
    if (path.empty()) return here.refuse("is missing; it is the path of a URL, as in /cxf/HelloWorld");
    const std::string shown = config::inQuotes(path);
    if (path.front() != '/') return here.refuse(shown + " does not begin with '/'");
    if (path.find_first_of("?#") != std::string::npos)
        return here.refuse(shown + " has a '?' or '#'; a path has no query and no fragment");
    if (path.find('%') != std::string::npos)
        return here.refuse(shown + " has a '%'; write the characters themselves, callers' URLs are decoded first");
    if (path.find('\\') != std::string::npos || config::hasControlCharacter(path))
        return here.refuse(shown + " has a character that no URL brings");
    if (hasDotSegment(path)) return here.refuse(shown + " has a '.' or '..' segment");
}

void completeEndpoint(const std::string& name, EndpointConfig& endpoint, const config::Site& site) {
    if (name.empty()) site.refuse("the name of an endpoint is empty");
    if (config::hasControlCharacter(name)) site.refuse("the name of an endpoint has a control character");

    const std::string& to = endpoint.to;
    if (to.empty()) {
        if (site["to"].given()) site["to"].refuse("is empty; leave it out for service:" + config::shown(name));
        endpoint.to = std::string(serviceScheme) + name;
    } else if (endpoint.remote()) {
        checkRemote(endpoint, site);
    } else if (endpoint.toDestination()) {
        checkDestination(endpoint, site);
    } else if (to.compare(0, serviceScheme.size(), serviceScheme) != 0) {
        const bool bare = to.find_first_of(":/") == std::string::npos;
        site["to"].refuse(
            config::inQuotes(to) +
            " is not served by this version of Postbus, which knows service:NAME, http://HOST:PORT/PATH, queue:NAME "
            "and topic:NAME" +
            (bare ? "; did you mean 'service:" + to + "'?" : std::string()));
    } else if (endpoint.service().empty()) {
        site["to"].refuse("has no name after service:");
    }
    if (!endpoint.remote() && endpoint.backend)
        site["backend"].refuse(std::string("stands at an endpoint that leads to ") +
                               (endpoint.toDestination() ? "a queue or topic" : "a service of this bus") +
                               "; it is for `to: http://...`");
    if (!endpoint.toDestination() && endpoint.send)
        site["send"].refuse(
            "stands at an endpoint that sends nothing; it is for `to: queue:NAME` and `to: topic:NAME`");
    if (endpoint.soap) completeSoap(*endpoint.soap, site["soap"]);
    checkInterceptors(endpoint.interceptors, site["interceptors"]);
}

void checkListenerNames(const Endpoints& endpoints, const http::HttpConfig& http, const config::Site& site) {
    std::vector<std::string_view> names;
    for (const http::HttpListenerConfig& listener : http.listen) names.push_back(nameOf(listener));
    const std::set<std::string_view> known(names.begin(), names.end());
    forEachPath(endpoints, site, [&](const EndpointPath& path, const config::Site& here) {
        if (path.listener.empty() || known.count(path.listener)) return;
        here["listener"].refuse("unknown listener " + config::inQuotes(path.listener) +
                                config::remedy(path.listener, names));
    });
}

void checkQueues(const DaemonConfig& config, const config::Site& site) {
    std::map<std::string_view, std::string_view> takenBy;
    for (const auto& [name, endpoint] : config.endpoints) {
        if (!endpoint.queue) continue;
        const auto [at, fresh] = takenBy.emplace(endpoint.queue->name, name);
        if (!fresh)
            site["endpoints"][name]["queue"].refuse("queue " + config::inQuotes(endpoint.queue->name) +
                                                    " leads to endpoint " + config::inQuotes(at->second) +
                                                    " already; each message would go to either of them");
    }
    for (const auto& [name, settings] : config.queues) {
        const config::Site here = site["queues"][name];
        checkQueueName(name, here);
        if (settings.redeliveryMultiplier == 0)
            here["redelivery-multiplier"].refuse("is 0; 1 keeps the delay as it is");
        if (!settings.deadLetter.empty()) checkQueueName(settings.deadLetter, here["dead-letter"]);
        if (!settings.expiry.empty()) checkQueueName(settings.expiry, here["expiry"]);
    }
}

void checkPathsClaimedOnce(const Endpoints& endpoints, const config::Site& site) {
    struct Claims {
        config::Site first;
        std::map<std::string_view, config::Site> byListener;
    };
    struct Claim {
        const EndpointPath* path;
        config::Site site;
    };
    std::vector<Claim> inOrder;  // of the file: the later one is refused
    forEachPath(endpoints, site, [&](const EndpointPath& path, const config::Site& here) {
        if (!path.path.empty()) inOrder.push_back({&path, here["path"]});
    });
    std::stable_sort(inOrder.begin(), inOrder.end(),
                     [](const Claim& a, const Claim& b) { return a.site.place().before(b.site.place()); });

    std::map<std::string_view, Claims> taken;
    for (const auto& [claimed, here] : inOrder) {
        const EndpointPath& path = *claimed;
        Claims& claims = taken.try_emplace(path.path, Claims{here, {}}).first->second;
        // A claim on all listeners meets every other one.
        const config::Site* other = nullptr;
        if (const auto all = claims.byListener.find(""); all != claims.byListener.end()) other = &all->second;
        if (!other && path.listener.empty() && !claims.byListener.empty()) other = &claims.first;
        const auto [own, isNew] = claims.byListener.try_emplace(path.listener, here);
        if (!other && !isNew) other = &own->second;
        if (other)
            here.refuse("the path " + config::inQuotes(path.path) + " is claimed by " + other->described() +
                        " already");
    }
}

}  // namespace postbus::server
