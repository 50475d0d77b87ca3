#include "transports/http/connection/connection.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "transports/http/connection/socket_calls.hpp"

namespace postbus::http {
namespace {

/// How long an idle connection of a listener that closes may still bring a request that is under way to us; one that
/// has not brought any yet is likely to.
constexpr milliseconds retireTime{200}, retireTimeFresh{1000};
constexpr milliseconds lingerTime{2000}, lingerTimeRetired{500};
constexpr std::uint32_t lingerBytes = 1024 * 1024;

/// The kernel's last tick, a few milliseconds ago, and as much on top: never too early, and a fifth of the price.
TimePoint coarseNow() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    constexpr milliseconds longestTick{10};
    return TimePoint(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)) + longestTick;
}

}  // namespace

Connection::Connection(Loop& loop, std::shared_ptr<Acceptor> acceptor, int descriptor, const SocketAddress& peer)
    : loop_(loop),
      acceptor_(std::move(acceptor)),
      descriptor_(descriptor),
      // Bytes that came with descriptors are read apart from those behind them.
      halts_(acceptor_->listener().isUnix),
      ip_(peer.ip()) {
    const std::string text = hostText(peer);
    peerLength_ = static_cast<std::uint8_t>(std::min(text.size(), sizeof peer_));
    std::memcpy(peer_, text.data(), peerLength_);
    acceptor_->listener().connections.fetch_add(1, std::memory_order_relaxed);
}

Connection::~Connection() {
    if (descriptor_ >= 0) ::close(descriptor_);
    uncount();
}

void Connection::uncount() {
    if (std::exchange(counted_, false)) acceptor_->listener().connections.fetch_sub(1, std::memory_order_relaxed);
}

void Connection::start() {
    self_ = shared_from_this();
    loop_.enter(self_);
    setDeadline(acceptor_->settings()->limits.idle);
    if (!loop_.poller().add(descriptor_, *this)) enter([this] { close(); });
}

void Connection::turnAway(const Refusal& refusal) {
    // It is none of those that count, or nobody would get in while those turned away go.
    uncount();
    self_ = shared_from_this();
    loop_.enter(self_);
    enter([&] {
        if (!loop_.poller().add(descriptor_, *this)) return close();
        takeSlot();
        refusePlainly(refusal);
    });
}

bool Connection::step() {
    switch (state_) {
        case State::Idle:
        case State::Head:
            return readHead();
        case State::Body:
            return readBody();
        case State::Skipping:
            return skipBody();
        case State::Lingering:
            return linger();
        default:
            return false;
    }
}

/// The last thing of every entry: nothing may touch the connection behind it.
void Connection::settle() {
    if (state_ == State::Closed) self_.reset();
}

void Connection::close() {
    if (state_ == State::Closed) return;
    state_ = State::Closed;
    if (slot_) {
        slot_->exchange.abandon();
        leaveUpload();
    }
    loop_.cancelTimer(*this);
    loop_.poller().remove(descriptor_, *this);
    ::close(std::exchange(descriptor_, -1));
    if (slot_) loop_.giveSlot(std::move(slot_));
    uncount();
    loop_.leave(*this);
}

/// Something has changed at the socket. Edges come once: what is not needed now is remembered.
void Connection::onReady(std::uint32_t events) {
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) ended_ = true;
    if (events & (EPOLLHUP | EPOLLERR)) lost_ = true;
    if (events & EPOLLPRI) halts_ = true;  // at urgent data
    if (events & EPOLLIN || ended_) drained_ = false;
    switch (state_) {
        case State::Exchanging:
            // One that has only finished sending still waits for its answer.
            if (lost_) return enter([this] { close(); });
            if (slot_->upload.active() && !drained_) enter([this] { pump(); });
            return;
        case State::Writing:
            // A streamed answer that waits for more would not find out by itself.
            if (lost_) return enter([this] { close(); });
            return enter([this, events] {
                if (events & EPOLLOUT) send();
                if (state_ == State::Writing && slot_->upload.active() && !drained_) pump();
            });
        case State::Sending:
            return;
        case State::Idle:
            if (!drained_ && !slot_) return readAhead();
            [[fallthrough]];
        default:
            if (!drained_) enter([] {});
    }
}

/// Of those that are ready at once all are read, then all are answered, then all answers leave: each stage's code and
/// the kernel's stay in the processor's cache for the next.
void Connection::readAhead() {
    running_ = true;
    takeSlot();
    const Received received = receive(1024);
    running_ = false;
    if (state_ == State::Closed) return settle();
    slot_->fresh = received == Received::Some;
    if (!loop_.poller().putOff(*this)) enter([] {});
}

void Connection::onTurn() {
    enter([this] {
        if (state_ == State::Sending || state_ == State::Writing) send();
    });
}

void Connection::setDeadline(milliseconds fromNow) {
    loop_.setTimer(*this, fromNow.count() ? coarseNow() + fromNow : TimePoint::max());
}

void Connection::onTimer() {
    enter([this] { onDeadline(); });
}

void Connection::onDeadline() {
    switch (state_) {
        case State::Idle:
            // What came in at the last moment is still a request.
            if (acceptor_->retired()) {
                char byte;
                if (::recv(handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0) return;
            }
            return close();
        case State::Head:
            return refusePlainly({408, "the head of the request took too long"});
        case State::Body:
            // The caller's doing, and so its fault: 408, and not a time-out of the service.
            return refuse(Error::invalid("the body of the request took too long"), 408);
        case State::Exchanging:
            if (slot_->upload.active())
                return uploadFailed(Error::invalid("nothing more of the request's body came for too long"));
            slot_->exchange.expire(Error(Error::Kind::Timeout, "the service gave no answer in time"));
            if (state_ == State::Exchanging) close();  // the way to answer was lost
            return;
        case State::Writing:
            return noRoom();
        default:
            return close();
    }
}

void Connection::retire() {
    if (state_ == State::Idle) setDeadline(served_ ? retireTime : retireTimeFresh);
}

bool Connection::expire() {
    bool exchanging = false;
    enter([&] {
        switch (state_) {
            case State::Exchanging:
                exchanging = true;
                slot_->close = true;
                return slot_->exchange.expire(Error(Error::Kind::Unavailable, "the server is stopping"));
            case State::Head:
                return refusePlainly({503, "the server is stopping"});
            case State::Body:
                return refuse(Error(Error::Kind::Unavailable, "the server is stopping"), 503);
            case State::Idle:
                return close();
            default:
                return;
        }
    });
    return exchanging;
}

/// Our last byte is sent. A close() now would reset the connection if the caller still sends, and the answer might be
/// lost on its side (RFC 9112 section 9.6): the caller shall see the end first, and close.
void Connection::startLinger() {
    if (slot_) loop_.giveSlot(std::move(slot_));
    state_ = State::Lingering;
    ::shutdown(handle(), SHUT_WR);
    setDeadline(acceptor_->retired() ? lingerTimeRetired : lingerTime);
}

bool Connection::linger() {
    char nowhere[4096];
    for (;;) {
        const ssize_t size = receiveNow(handle(), nowhere, sizeof nowhere);
        if (size > 0) {
            lingered_ += static_cast<std::uint32_t>(size);
            if (lingered_ < lingerBytes) continue;
        } else if (size < 0 && errno == EAGAIN) {
            drained_ = true;
            return false;
        }
        close();
        return false;
    }
}

}  // namespace postbus::http
