#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/net/address.hpp"
#include "base/result.hpp"

namespace postbus::http {

/// A socket's address, as the kernel takes it.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
    sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
    int family() const { return storage.ss_family; }
    /// IPv4 mapped into IPv6; nothing for a Unix socket.
    std::optional<net::IpBytes> ip() const;
};

/// "*" is every address of the machine, IPv6 and IPv4 both where the kernel has IPv6. May ask the resolver; not for the
/// message path.
Result<SocketAddress> resolve(const net::ListenAddress& address);

/// "127.0.0.1:8181", "[::1]:8181", "unix:/run/postbus/admin.sock".
std::string addressText(const SocketAddress& address);

/// The IP address alone, an IPv4 one mapped into IPv6 as IPv4; "unix" for a Unix socket.
std::string hostText(const SocketAddress& address);

}  // namespace postbus::http
