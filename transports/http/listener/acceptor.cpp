#include "transports/http/listener/acceptor.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "transports/http/connection/connection.hpp"
#include "transports/http/http_events.hpp"

namespace postbus::http {
namespace {

/// Of one listener at a time, so that those that are open have their turn.
constexpr int acceptedAtOnce = 64;
/// So many callers are told why; of those beyond the connection just ends.
constexpr std::size_t mostTurnedAway = 256;
constexpr milliseconds pauseTime{100};
constexpr std::chrono::minutes tellAgain{1};

/// Unix sockets have permissions instead: networks say nothing about them.
bool allowed(const ListenerSettings& settings, const std::optional<net::IpBytes>& address) {
    if (!address) return true;
    return !isOneOf(settings.deny, address) && (settings.allow.empty() || isOneOf(settings.allow, address));
}

bool due(TimePoint& told) {
    const TimePoint now = Clock::now();
    if (told != TimePoint() && now - told < tellAgain) return false;
    told = now;
    return true;
}

}  // namespace

Acceptor::Acceptor(Loop& loop, std::shared_ptr<Listener> listener, std::shared_ptr<const ListenerSettings> settings)
    : loop_(loop),
      listener_(std::move(listener)),
      settings_(std::move(settings)),
      descriptor_(loop.context().get_executor()) {}

void Acceptor::start() {
    // The same socket under a number of its own: each loop's reactor keeps and closes its own.
    const int own = fcntl(listener_->socket.descriptor(), F_DUPFD_CLOEXEC, 0);
    if (own < 0) return pause(errno);
    descriptor_.assign(own);
    wait();
}

void Acceptor::wait() {
    descriptor_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                           [self = shared_from_this()](const boost::system::error_code& failed) {
                               if (!failed && !self->retired_) self->acceptSome();
                           });
}

void Acceptor::acceptSome() {
    for (int i = 0; i < acceptedAtOnce; ++i) {
        const Taken taken = acceptOne();
        if (taken == Taken::Failed) return;
        if (taken == Taken::None) break;
    }
    wait();
}

Acceptor::Taken Acceptor::acceptOne() {
    const int from = descriptor_.is_open() ? descriptor_.native_handle() : listener_->socket.descriptor();
    for (;;) {
        SocketAddress peer;
        peer.length = sizeof peer.storage;
        const int descriptor = accept4(from, peer.get(), &peer.length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) {
            welcome(descriptor, peer);
            return Taken::One;
        }
        switch (errno) {
            case EAGAIN:
                return Taken::None;
            case EINTR:
            case ECONNABORTED:
            case EPERM:
            case EPROTO:
            case ENOPROTOOPT:
            case EOPNOTSUPP:
            case ENETDOWN:
            case ENETUNREACH:
            case EHOSTDOWN:
            case EHOSTUNREACH:
            case ENONET:
                continue;  // that connection failed, not the listener (accept(2), "Error handling")
            default:
                pause(errno);  // EMFILE, ENFILE, ENOBUFS, ENOMEM
                return Taken::Failed;
        }
    }
}

void Acceptor::welcome(int descriptor, const SocketAddress& peer) {
    bump<std::uint64_t>(loop_.figures().accepted);
    if (!listener_->isUnix) {
        const int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    const ListenerSettings& settings = *settings_;
    const auto limit = static_cast<std::int64_t>(settings.limits.connections);
    const auto connection = std::make_shared<Connection>(loop_, shared_from_this(), descriptor, peer);
    if (!allowed(settings, peer.ip()))
        return connection->turnAway({403, "callers from this address are not allowed here"});
    if (limit && listener_->connections.load(std::memory_order_relaxed) > limit) {
        if (due(toldFull_))
            log::emit(ConnectionsFull, {{"listener", settings.name}, {"connections", settings.limits.connections}});
        if (loop_.connections() > settings.limits.connections + mostTurnedAway) return;
        return connection->turnAway({503, "there are as many connections as this listener takes; try again"});
    }
    connection->start();
}

void Acceptor::pause(int reason) {
    if (due(toldPaused_)) log::emit(AcceptPaused, {{"listener", settings_->name}, {"reason", std::strerror(reason)}});
    loop_.setTimer(*this, Clock::now() + pauseTime);
}

void Acceptor::onTimer() {
    if (retired_) return;
    if (descriptor_.is_open())
        acceptSome();
    else
        start();
}

void Acceptor::retire() {
    if (retired_) return;
    while (acceptOne() == Taken::One) continue;
    retired_ = true;
    loop_.cancelTimer(*this);
    boost::system::error_code ignored;
    descriptor_.close(ignored);
    for (const auto& each : loop_.allConnections())
        if (&each->acceptor() == this) each->retire();
}

}  // namespace postbus::http
