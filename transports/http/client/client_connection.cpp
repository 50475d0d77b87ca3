#include "transports/http/client/client_connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/log/event.hpp"
#include "transports/http/client/client_events.hpp"
#include "transports/http/client/client_pool.hpp"
#include "transports/http/loop/loop.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

/// One that has rested for so long is looked at again before it is used. For what may be sent once only it always is:
/// the other's end may have come with the loop still busy, and then the request would be lost to it.
constexpr milliseconds lookAfter{50};

std::string seconds(milliseconds time) {
    std::string text = std::to_string(time.count() / 1000);
    if (const auto rest = time.count() % 1000) text += '.' + std::to_string(1000 + rest).substr(1);
    while (text.find('.') != std::string::npos && text.back() == '0') text.pop_back();
    return text + " s";
}

}  // namespace

ClientConnection::ClientConnection(ClientPool& pool, std::string key) : pool_(pool), key_(std::move(key)) {}

ClientConnection::~ClientConnection() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

TimePoint ClientConnection::now() const { return pool_.loop().now(); }

void ClientConnection::connect(std::shared_ptr<ClientCall> call) {
    call_ = std::move(call);
    call_->carrier_ = this;
    backend_ = call_->backend;
    deadline_ = call_->deadline;
    if (const auto total = config().times.total; total.count()) deadline_ = std::min(deadline_, call_->begun_ + total);
    wait(Wait::Connect, config().times.connect);
    const Backend& backend = *backend_;
    pool_.resolver().find(backend.connectHost(), backend.connectPort(), pool_.loop(),
                          [self = shared_from_this()](const Result<Resolver::Addresses>& found) {
                              if (self->state_ == State::Connecting) self->resolved(found);
                          });
}

void ClientConnection::resolved(const Result<Resolver::Addresses>& found) {
    if (!found) return fail(Error(found.error()));
    addresses_ = *found;
    nextAddress_ = 0;
    errno = EADDRNOTAVAIL;
    connectNext();
}

/// The next of its addresses; with none left it is over, by the reason in errno.
void ClientConnection::connectNext() {
    while (nextAddress_ < addresses_.size()) {
        const SocketAddress& address = addresses_[nextAddress_++];
        descriptor_ = socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (descriptor_ < 0) continue;
        const int on = 1;
        setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const bool begun = ::connect(descriptor_, address.get(), address.length) == 0 || errno == EINPROGRESS;
        // Its EPOLLOUT says that it stands, or that it failed.
        if (begun && pool_.loop().poller().add(descriptor_, *this)) return;
        const int reason = errno;
        ::close(std::exchange(descriptor_, -1));
        errno = reason;
    }
    fail(Error(Error::Kind::BadGateway, std::string("it can't be reached: ") + std::strerror(errno)));
}

void ClientConnection::connected() {
    int reason = 0;
    socklen_t size = sizeof reason;
    getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &reason, &size);
    if (reason != 0) {
        pool_.loop().poller().remove(descriptor_, *this);
        ::close(std::exchange(descriptor_, -1));
        drained_ = true;
        ended_ = false;
        errno = reason;
        return connectNext();
    }
    addresses_.clear();
    carry(std::move(call_));
}

bool ClientConnection::usableFor(const ClientCall& call) {
    if (ended_ || !drained_) return false;
    if (call.idempotent && now() - restedSince_ < lookAfter) return true;
    char byte;
    return ::recv(descriptor_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

void ClientConnection::carry(std::shared_ptr<ClientCall> call) {
    call_ = std::move(call);
    call_->carrier_ = this;
    backend_ = call_->backend;
    state_ = State::Carrying;
    phase_ = Phase::Head;
    answered_ = false;
    interims_ = 0;
    deadline_ = call_->deadline;
    if (const auto total = config().times.total; total.count()) deadline_ = std::min(deadline_, call_->begun_ + total);
    parser_.reset({64 * 1024, 200}, HeadParser::Of::Answer);
    sent_ = 0;
    total_ = call_->head.size() + call_->body.size();
    if (call_->upload) {
        upload_.begin(call_->upload, !call_->upload->length());
        call_->upload->readBy(this);
    }
    send();
}

void ClientConnection::onReady(std::uint32_t events) {
    const auto self = shared_from_this();
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) ended_ = true;
    if (events & EPOLLIN || ended_) drained_ = false;
    switch (state_) {
        case State::Connecting:
            if (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) connected();
            return;
        case State::Resting:
            // Its end, or bytes that nobody has asked for.
            if (!drained_) close();
            return;
        case State::Carrying:
            // What the backend said comes first: it may be why it takes no more.
            if (!drained_) receive();
            if (state_ == State::Carrying && events & EPOLLOUT && !requestSent()) send();
            return;
        case State::Closed:
            return;
    }
}

void ClientConnection::wait(Wait what, milliseconds limit) {
    wait_ = what;
    const TimePoint by = limit.count() ? now() + limit : TimePoint::max();
    pool_.loop().setTimer(*this, std::min(by, what == Wait::Rest ? TimePoint::max() : deadline_));
}

void ClientConnection::onTimer() {
    const auto self = shared_from_this();
    if (state_ == State::Resting) return close();
    const BackendTimes& times = config().times;
    std::string what;
    if (Clock::now() >= deadline_) {
        what = "it was not done in time";
    } else if (wait_ == Wait::Connect) {
        what = "there was no connection within " + seconds(times.connect);
    } else if (wait_ == Wait::Send) {
        what = "it has taken nothing more of the request for " + seconds(times.firstByte);
    } else if (wait_ == Wait::FirstByte) {
        what = "it has not begun to answer within " + seconds(times.firstByte);
    } else {
        what = "nothing more of its answer came for " + seconds(times.firstByte);
    }
    fail(Error(Error::Kind::Timeout, std::move(what)));
}

/// The connection is lost: the call is sent again where that is safe.
void ClientConnection::lost(std::string what) {
    const bool untouched = phase_ == Phase::Head && memory_.empty() && interims_ == 0;
    const bool safe = call_ && kept_ && untouched && !call_->again_ && !upload_.active() && !call_->upload &&
                      (call_->idempotent || sent_ == 0);
    if (!safe) return fail(Error(Error::Kind::BadGateway, std::move(what)));
    const auto call = std::exchange(call_, nullptr);
    call->carrier_ = nullptr;
    call->again_ = true;
    close();
    pool_.open(call);
}

void ClientConnection::fail(Error error) {
    error = std::move(error).in(backend_->name());
    if (answered_) return streamFailed(std::move(error));
    const auto call = std::exchange(call_, nullptr);
    call->carrier_ = nullptr;
    close();
    call->onFailure(std::move(error));
}

/// A part of the answer has gone on: its reader learns that the rest does not come.
void ClientConnection::streamFailed(Error error) {
    log::emit(BackendCut, {{"backend", backend_->url().text()}, {"reason", error.message()}});
    const auto download = std::exchange(download_, nullptr);
    close();
    if (download) download->fail(std::move(error));
}

void ClientConnection::cancel() {
    const auto self = shared_from_this();
    if (const auto call = std::exchange(call_, nullptr)) call->carrier_ = nullptr;
    const auto download = std::exchange(download_, nullptr);
    close();
    if (download) download->fail(Error(Error::Kind::Unavailable, "the call was cancelled"));
}

void ClientConnection::abort(Error error) {
    const auto self = shared_from_this();
    call_ || answered_ ? fail(std::move(error)) : close();
}

/// What the end of the connection is to be called.
std::string ClientConnection::ended(int reason) const {
    const std::string how = reason ? std::string("the connection broke (") + std::strerror(reason) + ')'
                                   : std::string("it closed the connection");
    if (phase_ != Phase::Head || !memory_.empty()) return how + " inside of its answer";
    return how + " before it answered";
}

/// How long the backend says that it keeps the connection ("Keep-Alive: timeout=5"), and a little less.
milliseconds ClientConnection::offeredTime() const {
    constexpr milliseconds early{500};
    milliseconds time = milliseconds::max();
    parser_.forEach(HeadParser::Known::KeepAlive, headAt_, [&](std::string_view list) {
        forEachElement(list, [&](std::string_view element) {
            constexpr std::string_view name = "timeout=";
            std::uint32_t offered = 0;
            if (element.starts_with(name) &&
                std::from_chars(element.data() + name.size(), element.data() + element.size(), offered).ec ==
                    std::errc())
                time = std::chrono::seconds(offered) - early;
        });
    });
    return time;
}

/// The answer is whole.
void ClientConnection::finish() {
    if (const auto call = std::exchange(call_, nullptr)) call->carrier_ = nullptr;
    answered_ = false;
    download_ = nullptr;
    const bool whole = requestSent();
    if (upload_.active()) upload_.stop();
    restTime_ = config().times.idle;
    restTime_ = std::min(restTime_, offeredTime());
    if (!whole || !reusable_ || ended_ || restTime_.count() <= 0 || !pool_.rest(*this, key_, config().keep))
        return close();
    state_ = State::Resting;
    kept_ = true;
    restedSince_ = now();
    wait(Wait::Rest, restTime_);
}

void ClientConnection::close() {
    if (state_ == State::Closed) return;
    const auto self = shared_from_this();
    if (state_ == State::Resting) pool_.wake(*this);
    state_ = State::Closed;
    pool_.loop().cancelTimer(*this);
    if (descriptor_ >= 0) {
        pool_.loop().poller().remove(descriptor_, *this);
        ::close(std::exchange(descriptor_, -1));
    }
    if (upload_.active()) upload_.stop();
    body_.stop();
    if (download_) download_->producedBy(nullptr);
    download_ = nullptr;
    pool_.loop().exchanges().giveBuffer(std::move(memory_));
    pool_.leave(*this);
}

}  // namespace postbus::http
