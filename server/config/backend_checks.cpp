#include "server/config/backend_checks.hpp"

#include <algorithm>
#include <string_view>

#include "config/reader.hpp"
#include "transports/http/client/call_head.hpp"
#include "transports/http/client/http_url.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::server {
namespace {

void checkName(const std::string& name, const config::Site& here) {
    if (!http::chars::all(name, http::chars::token))
        here.refuse(config::inQuotes(name) + " is not the name of a header field");
    else if (http::concernsOneHop(name))
        here.refuse(config::inQuotes(name) + " is written anew for each request, and never goes on");
}

void checkHeaders(const http::BackendHeaders& headers, const config::Site& site) {
    for (const auto& [names, key] : {std::pair{&headers.pass, "pass"}, std::pair{&headers.answer, "answer"}})
        for (std::size_t i = 0; *names && i < (*names)->size(); ++i) checkName((**names)[i], site[key][i]);
    for (const auto& [name, value] : headers.set) {
        const config::Site here = site["set"][name];
        checkName(name, here);
        if (!http::chars::allValue(value)) here.refuse("has a control character, which no header field can hold");
    }
}

void checkCredentials(const http::BackendCredentials& credentials, const config::Site& site) {
    const bool basic = !credentials.user.empty();
    const bool password = !credentials.password.empty(), file = !credentials.passwordFile.empty();
    if (basic && !credentials.bearerFile.empty())
        site["bearer-file"].refuse("stands beside user; a request has one Authorization");
    if (basic && credentials.user.find(':') != std::string::npos)
        site["user"].refuse("has a ':', which Basic authentication can't send");
    if (password && file) site["password-file"].refuse("stands beside password; one of the two is enough");
    if (!basic && (password || file)) site[password ? "password" : "password-file"].refuse("has no user beside it");
    if (basic && !password && !file) site["user"].refuse("has no password or password-file beside it");
    for (const auto& [path, key] :
         {std::pair{&credentials.passwordFile, "password-file"}, std::pair{&credentials.bearerFile, "bearer-file"}})
        if (!path->empty() && path->front() != '/')
            site[key].refuse(config::inQuotes(*path) + " is not an absolute path");
    if (config::hasControlCharacter(credentials.user) || config::hasControlCharacter(credentials.password))
        site.refuse("has a control character");
}

}  // namespace

void checkRemote(const EndpointConfig& endpoint, const config::Site& site) {
    const auto url = http::parseHttpUrl(endpoint.to);
    if (!url) site["to"].refuse(config::inQuotes(endpoint.to) + " " + url.error().message());
    for (std::size_t i = 0; i < endpoint.interceptors.size(); ++i)
        if (endpoint.interceptors[i].addressing)
            site["interceptors"][i].refuse(
                "names addressing at an endpoint that passes messages on as they are; the service itself deals with "
                "it");
    if (!endpoint.backend) return;
    checkBackend(*endpoint.backend, site["backend"]);
    if (endpoint.backend->wsdl.empty()) return;
    const config::Site here = site["backend"]["wsdl"];
    const auto wsdl = http::parseHttpUrl(endpoint.backend->wsdl);
    if (!wsdl)
        here.refuse(config::inQuotes(endpoint.backend->wsdl) + " " + wsdl.error().message());
    else if (url && wsdl->origin() != url->origin())
        here.refuse(config::inQuotes(endpoint.backend->wsdl) + " is not on the server of 'to', which is " +
                    url->origin());
}

void checkBackend(const http::BackendConfig& backend, const config::Site& here) {
    checkHeaders(backend.headers, here["headers"]);
    checkCredentials(backend.credentials, here["credentials"]);
    if (backend.times.connect.count() == 0) here["times"]["connect"].refuse("is 0s; nothing could be reached");
    if (backend.redirects > 20) here["redirects"].refuse("is more than 20");
    if (backend.answer == 0u) here["answer"].refuse("is 0; no answer could be held");
    if (!backend.proxy.empty()) {
        const auto proxy = http::parseHttpUrl(backend.proxy);
        if (!proxy) {
            here["proxy"].refuse(config::inQuotes(backend.proxy) + " " + proxy.error().message());
        } else if (proxy->path != "/" || !proxy->query.empty()) {
            here["proxy"].refuse(config::inQuotes(backend.proxy) + " has a path; a proxy is http://HOST:PORT");
        }
    }
}

}  // namespace postbus::server
