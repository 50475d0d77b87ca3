#include "transports/http/client/call_head.hpp"

#include <charconv>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {

bool concernsOneHop(std::string_view name) {
    switch (name.size()) {
        case 2:
            return sameText(name, "TE");
        case 4:
            return sameText(name, "Host");
        case 6:
            return sameText(name, "Expect");
        case 7:
            return sameText(name, "Trailer") || sameText(name, "Upgrade");
        case 10:
            return sameText(name, "Connection") || sameText(name, "Keep-Alive");
        case 12:
            return sameText(name, hopsField) || sameText(name, "X-Request-Id");
        case 14:
            return sameText(name, "Content-Length");
        case 15:
            return sameText(name, timeField);
        case 16:
            return sameText(name, "Proxy-Connection");
        case 17:
            return sameText(name, "Transfer-Encoding");
        case 18:
            return sameText(name, "Proxy-Authenticate");
        case 19:
            return sameText(name, "Proxy-Authorization");
        default:
            return false;
    }
}

void ConnectionOptions::read(const core::Headers& headers) {
    lists_.clear();
    for (const core::Header& each : headers)
        if (sameText(each.name, "Connection")) lists_.push_back(each.value);
}

bool ConnectionOptions::contain(std::string_view name) const {
    bool found = false;
    for (const std::string_view list : lists_)
        forEachElement(list, [&](std::string_view each) { found = found || sameText(each, name); });
    return found;
}

Result<void> CallHead::begin(std::string_view method, const Backend& backend, std::string_view query) {
    const HttpUrl& url = backend.url();
    for (const std::string_view part : {method, std::string_view(" ")}) out_.append(part);
    if (backend.proxied()) {
        out_.append("http://");
        out_.append(url.authority);
    }
    out_.append(url.path);
    for (const std::string_view each : {std::string_view(url.query), query}) {
        if (each.empty()) continue;
        out_.append(!url.query.empty() && each.data() != url.query.data() ? '&' : '?');
        out_.append(each);
    }
    out_.append(" HTTP/1.1\r\nHost: ");
    out_.append(url.authority);
    out_.append("\r\n");
    if (backend.hasCredentials()) {
        auto authorization = backend.authorization();
        if (!authorization) return std::move(authorization).error();
        field("Authorization", *authorization);
    }
    for (const auto& [name, value] : backend.config().headers.set) field(name, value);
    return ok();
}

void CallHead::field(std::string_view name, std::string_view value) {
    if (!chars::all(name, chars::token) || !chars::allValue(value)) return;
    out_.append(name);
    out_.append(": ");
    out_.append(value);
    out_.append("\r\n");
}

void CallHead::number(std::string_view name, std::uint64_t value) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    field(name, {digits, static_cast<std::size_t>(end - digits)});
}

}  // namespace postbus::http
