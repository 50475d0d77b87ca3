#include "transports/http/client/http_url.hpp"

#include <algorithm>
#include <charconv>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

std::string_view schemeOf(std::string_view text) {
    const std::size_t colon = text.find(':');
    return colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
}

/// '%' is fine where two hexadecimal digits follow.
bool wellFormed(std::string_view text, std::uint8_t kind) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (chars::is(text[i], kind) && text[i] != '%') continue;
        if (text[i] != '%' || i + 2 >= text.size() || !chars::is(text[i + 1], chars::hex) ||
            !chars::is(text[i + 2], chars::hex))
            return false;
        i += 2;
    }
    return true;
}

}  // namespace

std::string HttpUrl::origin() const {
    const bool six = host.find(':') != std::string::npos;
    return (six ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

std::string HttpUrl::text() const { return "http://" + authority + path + (query.empty() ? "" : '?' + query); }

Result<HttpUrl> parseHttpUrl(std::string_view text) {
    const std::string_view scheme = schemeOf(text);
    if (sameText(scheme, "https"))
        return Error::invalid("is https, which this version does not call yet; use http:// to a TLS proxy near by");
    if (!sameText(scheme, "http") || text.substr(4, 3) != "://")
        return Error::invalid("is not of the form http://HOST:PORT/PATH");
    std::string_view rest = text.substr(7);
    if (rest.find('#') != std::string_view::npos)
        return Error::invalid("has a '#': a fragment is never sent to a server");

    HttpUrl url;
    std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    rest.remove_prefix(authority.size());
    if (authority.find('@') != std::string_view::npos)
        return Error::invalid("has a user name; write credentials into backend: {credentials: ...}");
    if (!isAuthority(authority)) return Error::invalid("has no valid host and port");
    url.authority = authority;
    const std::size_t bracket = authority.rfind(']');
    const std::size_t colon = authority.rfind(':');
    const bool hasPort = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
    if (hasPort) {
        const std::string_view port = authority.substr(colon + 1);
        std::from_chars(port.data(), port.data() + port.size(), url.port);
        authority = authority.substr(0, colon);
    }
    url.host = bracket == std::string_view::npos ? authority : authority.substr(1, authority.size() - 2);

    const std::string_view path = rest.substr(0, rest.find('?'));
    if (path.size() < rest.size()) url.query = rest.substr(path.size() + 1);
    url.path = path.empty() ? "/" : path;
    if (!wellFormed(url.path, chars::path) || !wellFormed(url.query, chars::query))
        return Error::invalid("holds a character that a URL does not have; percent-encode it");
    return url;
}

}  // namespace postbus::http
