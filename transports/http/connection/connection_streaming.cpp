// Bodies that pass through as they come, both ways: the slower side sets the pace.
#include <cerrno>

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>

#include "transports/http/connection/connection.hpp"

namespace postbus::http {
namespace {

/// A body of known length up to this is gathered first: it can be sent again, and leaves in one write.
constexpr std::uint64_t gatheredBody = 64 * 1024;

}  // namespace

/// Whether the body of a request that may pass through comes as a stream.
bool Connection::passesThrough() const {
    const RequestSlot& slot = *slot_;
    const Framing& framing = slot.parser.framing();
    if (framing.chunked) return true;
    return framing.length > gatheredBody && slot.request.memory.size() - slot.bodyAt < framing.length;
}

/// The head is whole, the body will follow: the bus has both.
bool Connection::exchangeStream() {
    RequestSlot& slot = *slot_;
    const Framing& framing = slot.parser.framing();
    const core::Route& route = *slot.admission.route;
    const auto pipe =
        std::make_shared<core::BodyPipe>(framing.chunked ? std::nullopt : std::optional<std::uint64_t>(framing.length));
    slot.upload.begin(pipe, framing.chunked ? BodyReceiver::Framing::Chunked : BodyReceiver::Framing::Length,
                      framing.length, {slot.bodyLimit, 256, 32 * 1024});
    if (slot.describedAt != slot.request.memory.data()) describe(head());
    const BodyReceiver::Progress fed =
        slot.upload.feed({slot.request.memory.data() + slot.bodyAt, slot.request.memory.size() - slot.bodyAt});
    if (fed == BodyReceiver::Progress::Bad) {
        const Refusal refusal = slot.upload.refusal();
        slot.upload.stop();
        slot.close = true;
        refuse(Error(refusal.status == 413 ? Error::Kind::TooLarge : Error::Kind::Invalid, std::string(refusal.reason)),
               refusal.status);
        return true;
    }
    if (fed == BodyReceiver::Progress::Done) {
        slot.whole = true;
        keepRest(slot.upload.excess().data(), slot.upload.excess().size());
    } else {
        pipe->producedBy(this);
    }
    slot.patience = route.limits.timeout.count() ? route.limits.timeout : limits().exchangeTime;
    const core::Origin from = origin();
    slot.request.stream = pipe;
    state_ = State::Exchanging;
    core::ExchangeRef ref = loop_.port().receive(loop_.exchanges(), std::move(slot.admission), slot.request,
                                                 core::ReplyTo(shared_from_this()), milliseconds(0), from);
    if (state_ != State::Exchanging || !ref.open()) return true;
    slot.exchange = ref;
    if (slot.whole && slot.patience.count()) slot.exchange.limit(loop_.now() + slot.patience);
    loop_.setTimer(*this, ref.deadline());
    if (lost_) close();
    if (state_ == State::Exchanging && slot.upload.active()) pump();
    return state_ != State::Exchanging && state_ != State::Closed;
}

/// Reads on, as there is room for it.
void Connection::pump() {
    if ((state_ != State::Exchanging && state_ != State::Writing) || !slot_->upload.active() || pumping_) return;
    pumping_ = true;
    const BodyReceiver::Progress progress = slot_->upload.go(handle(), drained_, ended_ || halts_);
    pumping_ = false;
    pumped(progress);
}

void Connection::pumped(BodyReceiver::Progress progress) {
    // The answer may have been given meanwhile; if it is streamed, its own times hold.
    const bool answering = state_ == State::Writing;
    if (state_ != State::Exchanging && !answering) return;
    RequestSlot& slot = *slot_;
    switch (progress) {
        case BodyReceiver::Progress::Done:
            slot.whole = true;
            keepRest(slot.upload.excess().data(), slot.upload.excess().size());
            if (answering) return;
            if (slot.patience.count()) slot.exchange.limit(loop_.now() + slot.patience);
            return loop_.setTimer(*this, slot.exchange.deadline());
        case BodyReceiver::Progress::Drained:
            if (!answering) setDeadline(limits().bodyTime);
            return;
        case BodyReceiver::Progress::Full:
            // It is the other side that is slow: whoever sends to it watches the time.
            if (!answering) setDeadline(milliseconds(0));
            return;
        case BodyReceiver::Progress::Cut:
            return uploadFailed(Error::invalid("the request ended inside of its body"));
        case BodyReceiver::Progress::Bad: {
            const Refusal refusal = slot.upload.refusal();
            return uploadFailed(Error(refusal.status == 413 ? Error::Kind::TooLarge : Error::Kind::Invalid,
                                      std::string(refusal.reason)));
        }
        case BodyReceiver::Progress::Broken:
            return close();
    }
}

/// The one who takes it from the pipe ends the exchange with this; if nobody does, the caller is told all the same.
void Connection::uploadFailed(Error error) {
    RequestSlot& slot = *slot_;
    slot.close = true;
    const core::ExchangeRef exchange = slot.exchange;
    const auto pipe = std::shared_ptr<core::BodyPipe>(slot.upload.shared());
    slot.upload.stop();
    pipe->fail(Error(error));
    if (core::ExchangeRef ref = exchange; ref.open()) ref.expire(std::move(error));
}

/// The request is answered, or the caller gone: what is still to come of its body interests nobody.
void Connection::leaveUpload() {
    RequestSlot& slot = *slot_;
    if (!slot.upload.active()) return;
    const auto pipe = slot.upload.shared();
    slot.upload.stop();
    slot.close = true;
    pipe->producedBy(nullptr);
    pipe->fail(Error(Error::Kind::Unavailable, "the exchange is over"));
}

void Connection::onRoom() {
    if (running_) return pump();
    enter([this] { pump(); });
}

/// Whoever took it wants no more; the answer is on its way, or a fault.
void Connection::onClosed() {
    if (!slot_ || !slot_->upload.active()) return;
    slot_->upload.stop();
    slot_->close = true;
    if (state_ == State::Exchanging) loop_.setTimer(*this, slot_->exchange.deadline());
}

/// The answer's body follows its head as it comes.
void Connection::startDownload(core::WireAnswer& answer, AnswerHead& head) {
    RequestSlot& slot = *slot_;
    const bool none = slot.parser.isHead() || answer.status == 204 || answer.status == 304;
    const auto stream = std::move(answer.stream);
    if (none) return stream->close();
    if (const auto length = stream->length()) {
        head.length = *length;
    } else if (slot.parser.minorVersion() == 0) {
        head.body = AnswerHead::Body::UntilClose;
        head.close = slot.close = true;
        head.keepAlive = false;
    } else {
        head.body = AnswerHead::Body::Chunked;
    }
    slot.download.begin(stream, head.body == AnswerHead::Body::Chunked);
    stream->readBy(this);
}

void Connection::sendDownload() {
    switch (slot_->download.go(handle())) {
        case BodySender::Progress::Done:
            return sent();
        case BodySender::Progress::Full:
            return awaitRoom();
        case BodySender::Progress::Waiting:
            // For the backend: whoever reads from it watches the time.
            return setDeadline(milliseconds(0));
        case BodySender::Progress::Failed:
        case BodySender::Progress::Broken:
            // Without its end, the caller can't take a part for the whole.
            return close();
    }
}

/// There is more of the answer.
/// The caller has read it, where it is on this machine; elsewhere, its system has it.
bool Connection::delivered() const {
    int left = 0;
    if (ioctl(descriptor_, SIOCOUTQ, &left) == 0 && left != 0) return false;
    // A caller that has gone has let go of what it had not read. Looked at in this order: it is gone before that goes.
    pollfd caller{descriptor_, 0, 0};
    return poll(&caller, 1, 0) == 0;
}

void Connection::onBody() {
    if (state_ != State::Writing || !slot_->out.empty()) return;
    if (pumping_) return loop_.poller().yield(*this);
    if (running_) return sendDownload();
    enter([this] {
        if (state_ == State::Writing) send();
    });
}

}  // namespace postbus::http
