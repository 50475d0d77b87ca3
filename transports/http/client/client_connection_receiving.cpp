#include <algorithm>
#include <cerrno>

#include "transports/http/client/client_connection.hpp"
#include "transports/http/client/client_pool.hpp"
#include "transports/http/connection/socket_calls.hpp"
#include "transports/http/loop/loop.hpp"

namespace postbus::http {
namespace {

constexpr std::size_t firstRead = 4096 - 512;
/// Room in front of the backend's head, so that ours fits where that was.
constexpr std::size_t headroom = 256;
/// A body of known length up to this is gathered even where a stream is taken: it leaves in one write.
constexpr std::uint64_t gathered = 64 * 1024;
/// What is set aside at once for a body of known length.
constexpr std::uint64_t reserved = 256 * 1024;
constexpr int mostInterims = 16;

}  // namespace

/// Reads what there is, at most what has room. False: nothing came; the connection may be at its end, or gone.
bool ClientConnection::read(std::size_t wanted) {
    char* const to = memory_.prepare(wanted);
    const std::size_t room = std::min(memory_.writable(), std::max(wanted, firstRead));
    for (;;) {
        const ssize_t size = receiveNow(descriptor_, to, room);
        if (size > 0) {
            memory_.commit(static_cast<std::size_t>(size));
            drained_ = static_cast<std::size_t>(size) < room && !ended_;
            return true;
        }
        if (size < 0 && errno == EINTR) continue;
        drained_ = true;
        if (size < 0 && errno == EAGAIN) return false;
        const int reason = size < 0 ? errno : 0;
        ended_ = true;
        lost(ended(reason));
        return false;
    }
}

void ClientConnection::receive() {
    switch (phase_) {
        case Phase::Head:
            return receiveHead();
        case Phase::Gathering:
            return parser_.framing().chunked ? gatherChunks() : gather();
        case Phase::Streaming:
            return stream();
        case Phase::Done:
            return;
    }
}

void ClientConnection::receiveHead() {
    if (memory_.capacity() == 0) memory_ = pool_.loop().exchanges().takeBuffer();
    if (memory_.empty()) memory_.clear(headroom);
    while (!drained_) {
        const bool first = memory_.empty();
        if (!read(first ? firstRead : 1024)) return;
        for (;;) {
            const auto status = parser_.parse(memory_.data(), memory_.size());
            if (status == HeadParser::Status::NeedMore) break;
            if (status == HeadParser::Status::Failed)
                return fail(Error(Error::Kind::BadGateway,
                                  "its answer is no good HTTP: " + std::string(parser_.refusal().reason)));
            if (parser_.statusCode() >= 200) return choose();
            if (!interim()) return;
            if (memory_.empty()) break;
        }
    }
    if (!memory_.empty()) wait(Wait::More, config().times.firstByte);
}

/// 100 Continue and the like say nothing of the answer.
bool ClientConnection::interim() {
    if (parser_.statusCode() == 101 || ++interims_ > mostInterims) {
        fail(Error(Error::Kind::BadGateway, parser_.statusCode() == 101
                                                ? "it wants to switch to a protocol that it was not asked for"
                                                : "it sends interim answers without end"));
        return false;
    }
    memory_.consume(parser_.size());
    parser_.reset({64 * 1024, 200}, HeadParser::Of::Answer);
    return true;
}

/// The head is whole: how its body ends (RFC 9112 section 6.3), and whether it is gathered or passed on as it comes.
void ClientConnection::choose() {
    const Framing& framing = parser_.framing();
    const int status = parser_.statusCode();
    const std::size_t there = memory_.size() - parser_.size();
    const bool none = call_->headOnly || status == 204 || status == 304;
    bodySize_ = 0;
    reusable_ = framing.keepAlive && (none || framing.chunked || framing.hasLength);
    phase_ = Phase::Gathering;
    if (none || (framing.hasLength && !framing.chunked)) {
        length_ = none ? 0 : framing.length;
        if (there >= length_ || length_ <= gathered || !call_->takesStream) {
            if (length_ > config().answer && !call_->takesStream)
                return fail(Error(Error::Kind::BadGateway,
                                  "its answer has " + std::to_string(length_) + " bytes, more than the " +
                                      std::to_string(config().answer) + " of backend: {answer: ...}"));
            return gather();
        }
        answer(std::make_shared<core::BodyPipe>(length_));
        return;
    }
    if (!framing.chunked && call_->takesStream) return answer(std::make_shared<core::BodyPipe>());
    chunks_.reset({framing.chunked && !call_->takesStream ? std::uint64_t{config().answer} : 0, 256, 64 * 1024});
    fresh_ = there > 0;
    framing.chunked ? gatherChunks() : gather();
}

/// A body of known length, or (where no stream is taken) one that ends with the connection.
void ClientConnection::gather() {
    const bool untilClose =
        !call_->headOnly && !parser_.framing().hasLength && parser_.statusCode() != 204 && parser_.statusCode() != 304;
    const std::size_t limit = config().answer;
    for (;;) {
        const std::uint64_t there = memory_.size() - parser_.size();
        if (!untilClose && there >= length_) {
            bodySize_ = static_cast<std::size_t>(length_);
            return answer(nullptr);
        }
        if (untilClose && there > limit)
            return fail(Error(Error::Kind::BadGateway, "its answer is larger than the " + std::to_string(limit) +
                                                           " bytes of backend: {answer: ...}"));
        if (drained_) break;
        char* const to = memory_.prepare(
            static_cast<std::size_t>(untilClose ? 16 * 1024 : std::min<std::uint64_t>(length_ - there, reserved)));
        const std::size_t room = memory_.writable();
        const ssize_t size = receiveNow(descriptor_, to, room);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) {
            drained_ = true;
            break;
        }
        if (size > 0) {
            memory_.commit(static_cast<std::size_t>(size));
            drained_ = static_cast<std::size_t>(size) < room && !ended_;
            continue;
        }
        const int reason = size < 0 ? errno : 0;
        ended_ = true;
        if (reason == 0 && untilClose) {
            bodySize_ = static_cast<std::size_t>(there);
            return answer(nullptr);
        }
        std::string what = ended(reason);
        if (!untilClose) what += ": of " + std::to_string(length_) + " bytes " + std::to_string(there) + " came";
        return lost(std::move(what));
    }
    wait(Wait::More, config().times.firstByte);
}

void ClientConnection::gatherChunks() {
    for (;;) {
        if (fresh_) {
            fresh_ = false;
            char* const from = memory_.data() + parser_.size() + bodySize_;
            const auto size = static_cast<std::size_t>(memory_.data() + memory_.size() - from);
            const auto progress = chunks_.decode(from, size);
            if (progress.status == ChunkedDecoder::Status::Failed)
                return fail(Error(Error::Kind::BadGateway,
                                  "the chunks of its answer are no good: " + std::string(chunks_.refusal().reason)));
            bodySize_ += progress.produced;
            if (progress.status == ChunkedDecoder::Status::Done) {
                if (progress.consumed < size) reusable_ = false;  // nobody has asked for more
                memory_.truncate(parser_.size() + bodySize_);
                return answer(nullptr);
            }
            memory_.truncate(parser_.size() + bodySize_);
            // What has come by now is not all of it: the rest may take its time.
            if (call_->takesStream) return answer(std::make_shared<core::BodyPipe>());
        }
        if (drained_) break;
        if (!read(4096)) break;
        fresh_ = true;
    }
    if (state_ == State::Carrying) wait(Wait::More, config().times.firstByte);
}

/// Tells the call: with a whole body, or with one that goes on.
void ClientConnection::answer(const std::shared_ptr<core::BodyPipe>& stream) {
    const auto self = shared_from_this();
    const Framing& framing = parser_.framing();
    ClientAnswer answer{parser_.statusCode(), parser_, memory_.data(), {}, stream, {}};
    if (framing.hasLength && !framing.chunked) answer.length = framing.length;
    headAt_ = memory_.data();
    const std::size_t head = parser_.size();
    if (!stream) {
        if (memory_.size() > head + bodySize_) reusable_ = false;  // more than it said: nobody has asked for that
        memory_.truncate(head + bodySize_);
        memory_.consume(head);
        answer.body = std::move(memory_);
        memory_ = Buffer();
        const auto call = call_;
        phase_ = Phase::Done;
        finish();
        call->onAnswer(answer);
        return;
    }
    phase_ = Phase::Streaming;
    answered_ = true;
    deadline_ = TimePoint::max();
    if (const auto total = config().times.total; total.count()) deadline_ = call_->begun_ + total;
    download_ = stream;
    // What has come already: of chunks it has been decoded.
    Buffer begun = std::move(memory_);
    memory_ = Buffer();
    const auto call = std::exchange(call_, nullptr);
    call->carrier_ = nullptr;
    if (sent_ < total_) {
        // Of a request that was answered before it had left, the rest is nobody's any more.
        sent_ = total_;
        reusable_ = false;
    }
    const auto how = framing.chunked     ? BodyReceiver::Framing::Chunked
                     : framing.hasLength ? BodyReceiver::Framing::Length
                                         : BodyReceiver::Framing::UntilClose;
    body_.begin(stream, how, length_, {});
    const bool chunked = framing.chunked;
    std::string_view rest = begun.view().substr(head);
    BodyReceiver::Progress progress = BodyReceiver::Progress::Drained;
    if (chunked)
        body_.resume(chunks_, rest);
    else if (!rest.empty())
        progress = body_.feed(rest);
    stream->producedBy(this);
    call->onAnswer(answer);
    pool_.loop().exchanges().giveBuffer(std::move(begun));
    if (state_ != State::Carrying) return;
    if (progress == BodyReceiver::Progress::Done) return streamed(progress);
    this->stream();
}

/// Reads on as there is room.
void ClientConnection::stream() {
    if (!body_.active()) return;
    const auto self = shared_from_this();
    streamed(body_.go(descriptor_, drained_, ended_));
}

void ClientConnection::streamed(BodyReceiver::Progress progress) {
    if (state_ != State::Carrying) return;
    switch (progress) {
        case BodyReceiver::Progress::Done:
            if (!body_.excess().empty()) reusable_ = false;
            return finish();
        case BodyReceiver::Progress::Drained:
            return wait(Wait::More, config().times.firstByte);
        case BodyReceiver::Progress::Full:
            // The caller sets the pace now; who sends to it watches the time.
            return wait(Wait::More, milliseconds(0));
        case BodyReceiver::Progress::Cut:
        case BodyReceiver::Progress::Broken:
            return fail(Error(Error::Kind::BadGateway, ended(progress == BodyReceiver::Progress::Cut ? 0 : errno)));
        case BodyReceiver::Progress::Bad:
            return fail(Error(Error::Kind::BadGateway,
                              "the chunks of its answer are no good: " + std::string(body_.refusal().reason)));
    }
}

void ClientConnection::onRoom() {
    if (state_ == State::Carrying && phase_ == Phase::Streaming) stream();
}

/// The caller has gone: what is still to come interests nobody.
void ClientConnection::onClosed() {
    const auto self = shared_from_this();
    download_ = nullptr;
    if (state_ == State::Carrying) cancel();
}

}  // namespace postbus::http
