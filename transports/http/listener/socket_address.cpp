#include "transports/http/listener/socket_address.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>

namespace postbus::http {
namespace {

const sockaddr_in& four(const SocketAddress& address) { return reinterpret_cast<const sockaddr_in&>(address.storage); }
const sockaddr_in6& six(const SocketAddress& address) { return reinterpret_cast<const sockaddr_in6&>(address.storage); }

SocketAddress unixAddress(const std::string& path) {
    SocketAddress address;
    auto& name = reinterpret_cast<sockaddr_un&>(address.storage);
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path, path.data(), std::min(path.size(), sizeof name.sun_path - 1));
    address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    return address;
}

bool kernelHasIpv6() {
    const int probe = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return false;
    sockaddr_in6 any{};
    any.sin6_family = AF_INET6;
    const bool works = bind(probe, reinterpret_cast<const sockaddr*>(&any), sizeof any) == 0;
    ::close(probe);
    return works;
}

SocketAddress anyAddress(std::uint16_t port) {
    SocketAddress address;
    if (kernelHasIpv6()) {
        auto& name = reinterpret_cast<sockaddr_in6&>(address.storage);
        name.sin6_family = AF_INET6;
        name.sin6_port = htons(port);
        address.length = sizeof name;
    } else {
        auto& name = reinterpret_cast<sockaddr_in&>(address.storage);
        name.sin_family = AF_INET;
        name.sin_port = htons(port);
        address.length = sizeof name;
    }
    return address;
}

struct FreeAddresses {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

}  // namespace

std::optional<net::IpBytes> SocketAddress::ip() const {
    net::IpBytes bytes{};
    if (family() == AF_INET6) {
        std::memcpy(bytes.data(), six(*this).sin6_addr.s6_addr, bytes.size());
        return bytes;
    }
    if (family() != AF_INET) return std::nullopt;
    bytes[10] = bytes[11] = 0xff;
    std::memcpy(bytes.data() + 12, &four(*this).sin_addr, 4);
    return bytes;
}

Result<SocketAddress> resolve(const net::ListenAddress& wanted) {
    if (!wanted.socket.empty()) return unixAddress(wanted.socket);
    if (wanted.host == "*") return anyAddress(wanted.port);
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* list = nullptr;
    const int failed = getaddrinfo(wanted.host.c_str(), std::to_string(wanted.port).c_str(), &hints, &list);
    if (failed) return Error(Error::Kind::NotFound, failed == EAI_SYSTEM ? std::strerror(errno) : gai_strerror(failed));
    const std::unique_ptr<addrinfo, FreeAddresses> owned(list);
    // A name with both kinds of address, localhost above all, is taken as IPv4: more callers can reach it.
    const addrinfo* chosen = list;
    for (const addrinfo* each = list; each; each = each->ai_next) {
        if (each->ai_family != AF_INET) continue;
        chosen = each;
        break;
    }
    SocketAddress address;
    std::memcpy(&address.storage, chosen->ai_addr, chosen->ai_addrlen);
    address.length = chosen->ai_addrlen;
    return address;
}

std::string hostText(const SocketAddress& address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address.family() == AF_INET) return inet_ntop(AF_INET, &four(address).sin_addr, text, sizeof text);
    if (address.family() != AF_INET6) return "unix";
    const in6_addr& bytes = six(address).sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&bytes)) return inet_ntop(AF_INET, bytes.s6_addr + 12, text, sizeof text);
    return inet_ntop(AF_INET6, &bytes, text, sizeof text);
}

std::string addressText(const SocketAddress& address) {
    if (address.family() == AF_UNIX)
        return "unix:" + std::string(reinterpret_cast<const sockaddr_un&>(address.storage).sun_path);
    const bool isSix = address.family() == AF_INET6;
    const std::string host = hostText(address);
    const std::string port = std::to_string(ntohs(isSix ? six(address).sin6_port : four(address).sin_port));
    return host.find(':') == std::string::npos ? host + ':' + port : '[' + host + "]:" + port;
}

}  // namespace postbus::http
