#include "base/net/address.hpp"

#include <arpa/inet.h>
#include <sys/un.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace postbus::net {
namespace {

constexpr std::size_t mappedBytes = 12;

/// A whole decimal number without sign or leading zero.
template <class Integer>
bool wholeNumber(std::string_view text, Integer& value) {
    if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc{} && end == text.data() + text.size();
}

bool hostName(std::string_view host) {
    if (host.empty() || host.size() > 253) return false;
    return std::all_of(host.begin(), host.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
               c == '_';
    });
}

bool bit(const IpBytes& bytes, unsigned index) { return (bytes[index / 8] >> (7 - index % 8)) & 1; }

Result<ListenAddress> unixSocket(std::string_view path) {
    if (path.empty() || path.find('\0') != std::string_view::npos) return Error::invalid("has no path after unix:");
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        return Error::invalid("has a socket path longer than the " + std::to_string(sizeof(sockaddr_un::sun_path) - 1) +
                              " bytes the system takes");
    return ListenAddress{{}, 0, std::string(path)};
}

}  // namespace

Result<ListenAddress> parseListenAddress(std::string_view text) {
    constexpr std::string_view unixScheme = "unix:";
    if (text.substr(0, unixScheme.size()) == unixScheme) return unixSocket(text.substr(unixScheme.size()));

    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || text.empty())
        return Error::invalid("has no port; write HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH");
    std::string_view host = text.substr(0, colon);
    ListenAddress address;
    if (!wholeNumber(text.substr(colon + 1), address.port))
        return Error::invalid("has no port from 0 to 65535 after the last ':'");
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
        if (host.find(':') == std::string_view::npos || !parseIp(host))
            return Error::invalid("has no IPv6 address in the brackets");
    } else if (host.find(':') != std::string_view::npos) {
        return Error::invalid("has an IPv6 address without brackets; write [IPV6]:PORT");
    } else if (host.empty()) {
        return Error::invalid("has no host; write *:PORT for all addresses");
    } else if (host != "*" && !hostName(host)) {
        return Error::invalid("has no host name or address before the ':'");
    } else if (host.find_first_not_of("0123456789.") == std::string_view::npos && !parseIp(host)) {
        return Error::invalid("has no valid IPv4 address before the ':'");
    }
    address.host = host;
    return address;
}

Result<IpBytes> parseIp(std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return Error::invalid("is no IP address");
    const std::string terminated(text);
    IpBytes bytes{};
    if (inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) return bytes;
    bytes = {};
    bytes[10] = bytes[11] = 0xff;
    if (inet_pton(AF_INET, terminated.c_str(), bytes.data() + mappedBytes) == 1) return bytes;
    return Error::invalid("is no IP address");
}

Result<Network> Network::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::string_view address = text.substr(0, slash);
    Network network;
    const Result<IpBytes> bytes = parseIp(address);
    if (!bytes) return Error::invalid("is no network; write ADDRESS/PREFIX, as in 10.0.0.0/8 or 2001:db8::/32");
    network.bytes_ = *bytes;
    if (slash == std::string_view::npos) return network;

    const bool version4 = address.find(':') == std::string_view::npos;
    const unsigned most = version4 ? 32 : 128;
    unsigned prefix = 0;
    if (!wholeNumber(text.substr(slash + 1), prefix) || prefix > most)
        return Error::invalid("has no prefix length from 0 to " + std::to_string(most) + " after the '/'");
    network.prefix_ = prefix + (version4 ? 96 : 0);
    for (unsigned i = network.prefix_; i < 128; ++i)
        if (bit(network.bytes_, i))
            return Error::invalid("has bits set after its prefix of " + std::to_string(prefix) +
                                  "; write the network's first address");
    return network;
}

bool Network::contains(const IpBytes& address) const {
    const unsigned whole = prefix_ / 8, rest = prefix_ % 8;
    if (std::memcmp(address.data(), bytes_.data(), whole) != 0) return false;
    if (rest == 0) return true;
    const auto mask = static_cast<std::uint8_t>(0xff << (8 - rest));
    return (address[whole] & mask) == (bytes_[whole] & mask);
}

}  // namespace postbus::net
