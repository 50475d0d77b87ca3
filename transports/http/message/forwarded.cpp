#include "transports/http/message/forwarded.hpp"

#include <algorithm>
#include <cstring>

#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

using Known = HeadParser::Known;

std::string_view lastElement(std::string_view list) {
    const std::size_t comma = list.rfind(',');
    return trimmed(comma == std::string_view::npos ? list : list.substr(comma + 1));
}

/// host[:port] without its port. The colons of an IPv6 address stand in brackets.
std::string_view withoutPort(std::string_view authority) {
    const std::size_t end =
        authority.find(':', authority.empty() || authority.front() != '[' ? 0 : authority.find(']'));
    return authority.substr(0, end);
}

/// X-Forwarded-For's elements are addresses, of some proxies with a port.
std::string_view addressOf(std::string_view element) {
    if (!element.empty() && element.front() == '[')
        return element.substr(1, std::max<std::size_t>(element.find(']'), 1) - 1);
    const std::size_t colon = element.find(':');
    return element.find(':', colon + 1) == std::string_view::npos ? element.substr(0, colon) : element;
}

bool isTrusted(const std::vector<net::Network>& trusted, const net::IpBytes& address) {
    return std::any_of(trusted.begin(), trusted.end(), [&](const auto& each) { return each.contains(address); });
}

/// From the nearest proxy back to the caller, as far as each was a trusted one.
std::string_view callerOf(std::string_view list, const std::vector<net::Network>& trusted) {
    std::string_view caller;
    for (;;) {
        const std::string_view element = addressOf(lastElement(list));
        const auto address = net::parseIp(element);
        if (!address) return caller;
        caller = element;
        const std::size_t comma = list.rfind(',');
        if (comma == std::string_view::npos || !isTrusted(trusted, *address)) return caller;
        list = list.substr(0, comma);
    }
}

}  // namespace

void applyForwarded(const HeadParser& parser, const char* base, const std::vector<net::Network>& trusted,
                    std::span<char, forwardedHostRoom> room, core::RequestHead& head) {
    const std::string_view scheme = lastElement(parser.last(Known::ForwardedProto, base));
    if (sameText(scheme, "https")) head.scheme = "https";
    if (sameText(scheme, "http")) head.scheme = "http";

    const std::string_view host = lastElement(parser.last(Known::ForwardedHost, base));
    const bool hostGiven = isAuthority(host);
    if (hostGiven) head.host = host;

    const std::string_view port = lastElement(parser.last(Known::ForwardedPort, base));
    const std::string_view bare = withoutPort(head.host);
    // A port that came with the forwarded host is as good as the field.
    if (isPort(port) && !bare.empty() && !(hostGiven && bare.size() < head.host.size())) {
        const bool usual = port == (head.scheme == "https" ? "443" : "80");
        if (usual) {
            head.host = bare;
        } else {
            std::memmove(room.data(), bare.data(), bare.size());  // it may lie there already
            room[bare.size()] = ':';
            std::memcpy(room.data() + bare.size() + 1, port.data(), port.size());
            head.host = {room.data(), bare.size() + 1 + port.size()};
        }
    }
    if (const std::string_view caller = callerOf(parser.last(Known::ForwardedFor, base), trusted); !caller.empty())
        head.peer = caller;
}

}  // namespace postbus::http
