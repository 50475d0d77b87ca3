#include "transports/http/listener/acceptor.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

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
    : loop_(loop), listener_(std::move(listener)), settings_(std::move(settings)) {}

Acceptor::~Acceptor() {
    stopWaiting();
    if (descriptor_ >= 0) ::close(descriptor_);
}

/// Level-triggered: what is left in the backlog when others have their turn is told of again.
void Acceptor::start() {
    if (descriptor_ < 0) descriptor_ = fcntl(listener_->socket.descriptor(), F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) return pause(errno);
    waiting_ = loop_.poller().add(descriptor_, *this, EPOLLIN);
    if (!waiting_) pause(errno);
}

void Acceptor::stopWaiting() {
    if (std::exchange(waiting_, false)) loop_.poller().remove(descriptor_, *this);
}

void Acceptor::onReady(std::uint32_t) {
    for (int i = 0; i < acceptedAtOnce; ++i)
        if (acceptOne() != Taken::One) return;
}

Acceptor::Taken Acceptor::acceptOne() {
    const int from = descriptor_ >= 0 ? descriptor_ : listener_->socket.descriptor();
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
    stopWaiting();
    if (due(toldPaused_)) log::emit(AcceptPaused, {{"listener", settings_->name}, {"reason", std::strerror(reason)}});
    loop_.setTimer(*this, Clock::now() + pauseTime);
}

void Acceptor::onTimer() {
    if (!retired_) start();
}

void Acceptor::retire() {
    if (retired_) return;
    while (acceptOne() == Taken::One) continue;
    retired_ = true;
    loop_.cancelTimer(*this);
    stopWaiting();
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    for (const auto& each : loop_.allConnections())
        if (&each->acceptor() == this) each->retire();
}

}  // namespace postbus::http
