#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::net {

/// Where to listen, as configuration writes it: HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH.
struct ListenAddress {
    std::string host;  ///< a name, an IPv4 or IPv6 address without brackets, or "*" for all; empty for a Unix socket
    std::uint16_t port = 0;  ///< 0 takes a free one
    std::string socket;      ///< path of the Unix socket, or empty
};

/// Checks the form only: no name is looked up.
Result<ListenAddress> parseListenAddress(std::string_view text);

/// An address of either family as 16 bytes; IPv4 ones are mapped (RFC 4291 section 2.5.5.2), so that both kinds of a
/// dual-stack socket compare.
using IpBytes = std::array<std::uint8_t, 16>;
Result<IpBytes> parseIp(std::string_view text);

/// A network in CIDR notation (RFC 4632 section 3.1): 10.0.0.0/8, 2001:db8::/32, or one address.
class Network {
public:
    /// Refuses bits set after the prefix: 10.1.2.3/8 is rather a typing error than a network.
    static Result<Network> parse(std::string_view text);

    bool contains(const IpBytes& address) const;

private:
    IpBytes bytes_{};
    unsigned prefix_ = 128;
};

}  // namespace postbus::net
