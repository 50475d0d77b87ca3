#include "transports/http/listener/listening_socket.hpp"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "transports/http/listener/port_holder.hpp"
#include "transports/http/listener/socket_address.hpp"

namespace postbus::http {
namespace {

std::string holder(std::string_view address) {
    const auto parsed = net::parseListenAddress(address);
    return parsed && parsed->socket.empty() ? holderOf(parsed->port) : std::string("another program");
}

Error failed(std::string_view address, std::string_view what) {
    const int reason = errno;
    std::string text = "cannot listen on " + std::string(address) + ": " + std::string(what) + std::strerror(reason);
    if (reason == EADDRINUSE) text += "; " + holder(address) + " has it";
    if (reason == EACCES && address.substr(0, 5) != "unix:") text += "; ports below 1024 need CAP_NET_BIND_SERVICE";
    return Error(Error::Kind::Unavailable, std::move(text));
}

/// What stands in the way of a Unix socket at `path`: removed when it is a socket that nobody listens on.
std::optional<Error> clearPath(std::string_view text, const char* path, const SocketAddress& address) {
    struct stat there {};
    if (lstat(path, &there) != 0) return std::nullopt;
    if (!S_ISSOCK(there.st_mode)) {
        errno = EEXIST;
        return failed(text, "the file there is no socket: ");
    }
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) return failed(text, "socket: ");
    const bool refused = connect(probe, address.get(), address.length) != 0 && errno == ECONNREFUSED;
    ::close(probe);
    if (refused && unlink(path) == 0) return std::nullopt;
    errno = EADDRINUSE;
    return failed(text, "");
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(std::string_view text) {
    const auto parsed = net::parseListenAddress(text);
    if (!parsed) return Error::invalid("address '" + std::string(text) + "' " + parsed.error().message());
    auto address = resolve(*parsed);
    if (!address) return std::move(address).error().in("cannot listen on " + std::string(text));
    const bool isUnix = address->family() == AF_UNIX;
    const char* path = isUnix ? reinterpret_cast<const sockaddr_un&>(address->storage).sun_path : "";
    if (isUnix) {
        if (auto inTheWay = clearPath(text, path, *address)) return std::move(*inTheWay);
    }
    const int descriptor = socket(address->family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return failed(text, "socket: ");
    ListeningSocket opened(descriptor, std::string(text));
    const int on = 1, off = 0;
    if (!isUnix) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->family() == AF_INET6) {
        const bool both = IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6&>(address->storage).sin6_addr);
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, both ? &off : &on, sizeof on);
    }
    if (bind(descriptor, address->get(), address->length) != 0) return failed(text, "");
    if (isUnix) {
        struct stat made {};
        if (chmod(path, 0660) != 0 || lstat(path, &made) != 0) return failed(text, "");
        opened.path_ = path;
        opened.device_ = made.st_dev;
        opened.inode_ = made.st_ino;
    }
    if (listen(descriptor, SOMAXCONN) != 0) return failed(text, "");
    SocketAddress real;
    real.length = sizeof real.storage;
    if (!isUnix && getsockname(descriptor, real.get(), &real.length) == 0) opened.address_ = addressText(real);
    return opened;
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      address_(std::move(other.address_)),
      path_(std::exchange(other.path_, {})),
      device_(other.device_),
      inode_(other.inode_) {}

ListeningSocket::~ListeningSocket() { close(); }

void ListeningSocket::close() {
    removeFile();
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void ListeningSocket::removeFile() {
    struct stat there {};
    if (!path_.empty() && lstat(path_.c_str(), &there) == 0 && there.st_dev == device_ && there.st_ino == inode_)
        unlink(path_.c_str());
    path_.clear();
}

void ListeningSocket::seal() {
    removeFile();
    // A filter that stops SYNs alone: no new connection begins that would be reset when the socket closes, but one
    // whose handshake has begun may finish it, and is accepted. The filter sees the segment from its TCP header on; the
    // flags are its byte 13, SYN is 0x02. Where it can't be set the gap between the last accept and close() remains.
    sock_filter withoutSyn[] = {{BPF_LD | BPF_B | BPF_ABS, 0, 0, 13},
                                {BPF_JMP | BPF_JSET | BPF_K, 0, 1, 0x02},
                                {BPF_RET | BPF_K, 0, 0, 0},
                                {BPF_RET | BPF_K, 0, 0, 0xffffffff}};
    const sock_fprog program{4, withoutSyn};
    setsockopt(descriptor_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

}  // namespace postbus::http
