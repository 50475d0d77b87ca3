#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "formats/mime/content_coding.hpp"
#include "transports/http/connection/connection.hpp"
#include "transports/http/connection/socket_calls.hpp"
#include "transports/http/parser/authority.hpp"

namespace postbus::http {
namespace {

constexpr std::uint64_t skippedBody = 64 * 1024;
constexpr std::size_t slowestBytesPerSecond = 16 * 1024;

/// Smaller answers fit into a packet as they are; larger ones would hold up the loop.
constexpr std::size_t smallestPacked = 1400, largestPacked = 4 * 1024 * 1024;

/// Whether the answer would be packed for one who asks.
bool worthPacking(const core::WireAnswer& answer) {
    if (answer.coded) return false;
    if (answer.body.size() <= smallestPacked || answer.body.size() > largestPacked) return false;
    for (const auto& [name, value] : answer.headers)
        if (sameText(name, "Content-Encoding")) return false;
    const std::string_view type = answer.contentType.substr(0, answer.contentType.find(';'));
    return type.substr(0, 5) == "text/" || type.find("xml") != std::string_view::npos ||
           type.find("json") != std::string_view::npos;
}

}  // namespace

/// Called by the bus: inside of exchange(), or later from the loop's tasks.
void Connection::answer(core::WireAnswer&& answer) {
    if (state_ != State::Exchanging) return;
    if (running_) return give(answer);
    enter([&] { give(answer); });
}

/// For a request that gets no exchange, after its path is known. `status` 0: the one the port gives.
void Connection::refuse(Error error, int status) {
    bump<std::uint64_t>(loop_.figures().refused);
    describe(head());
    if (state_ == State::Head)
        passBody();
    else if (!slot_->whole)
        slot_->close = true;
    core::WireAnswer answer = loop_.port().refuse(slot_->admission, head(), std::move(error), loop_.nextRequestId(),
                                                  loop_.exchanges().takeBuffer());
    if (status) answer.status = status;
    if (slot_->refusedCoding) answer.headers.emplace_back("Accept-Encoding", "gzip, deflate");
    give(answer);
}

/// For one that was not understood that far. The connection ends: where the next request would begin is not known.
void Connection::refusePlainly(const Refusal& refusal) {
    bump<std::uint64_t>(loop_.figures().refused);
    RequestSlot& slot = *slot_;
    if (slot.begun == TimePoint()) slot.begun = loop_.now();
    describe(head());
    slot.close = true;
    core::WireAnswer answer;
    answer.status = refusal.status;
    answer.contentType = "text/plain; charset=utf-8";
    answer.requestId = loop_.nextRequestId();
    answer.body = loop_.exchanges().takeBuffer();
    answer.body.clear(core::transportHeadroom);
    for (const std::string_view part :
         {refusal.reason, std::string_view(" (request "), answer.requestId, std::string_view(")\n")})
        answer.body.append(part);
    give(answer);
}

/// The request is answered before its body was read: decides what becomes of the body. What has come already, or is
/// small, is passed over; otherwise the connection ends.
void Connection::passBody() {
    RequestSlot& slot = *slot_;
    const Framing& framing = slot.parser.framing();
    const std::size_t there = slot.request.memory.size() - slot.bodyAt;
    const char* const body = slot.request.memory.data() + slot.bodyAt;
    if (!framing.chunked && there >= framing.length) {
        keepRest(body + framing.length, there - static_cast<std::size_t>(framing.length));
    } else if (!framing.chunked && framing.length <= skippedBody && framing.expect == Framing::Expect::Nothing) {
        slot.skip = framing.length - there;
    } else {
        slot.close = true;
    }
}

/// Replaces the answer's body by its gzip, if that is smaller.
bool Connection::pack(core::WireAnswer& answer) {
    Buffer packed = loop_.exchanges().takeBuffer();
    packed.clear(core::transportHeadroom);
    const bool smaller =
        mime::deflate(answer.body.view(), mime::Coding::Gzip, packed) && packed.size() < answer.body.size();
    if (smaller) answer.body.swap(packed);
    loop_.exchanges().giveBuffer(std::move(packed));
    return smaller;
}

/// Puts the head before the body and sends both, in one write.
void Connection::give(core::WireAnswer& answer) {
    RequestSlot& slot = *slot_;
    if (slot.upload.active()) {
        // The answer came before the request was whole. One that is streamed may still depend on the rest.
        slot.close = true;
        if (!answer.stream) leaveUpload();
    }
    // A stop answers what is here already, and says that it closes with the last of it.
    slot.close = slot.close || answer.close || (acceptor_->retired() && slot.rest.empty());
    if (answer.body.capacity() == 0) {
        answer.body = loop_.exchanges().takeBuffer();
        answer.body.clear(core::transportHeadroom);
    }
    if (answer.status == 503 && !answer.retryAfter.count()) answer.retryAfter = std::chrono::seconds(1);
    AnswerHead head;
    head.vary = worthPacking(answer);
    if (head.vary && slot.gzip && pack(answer)) head.contentEncoding = "gzip";
    head.status = answer.status;
    head.date = loop_.date();
    head.contentType = answer.contentType;
    head.requestId = answer.requestId;
    head.length = answer.body.size();
    head.close = slot.close;
    head.keepAlive = !slot.close && slot.parser.minorVersion() == 0;
    head.retryAfter = static_cast<std::uint32_t>(answer.retryAfter.count());
    if (!answer.headers.empty()) head.fields = &answer.headers;
    head.passed = answer.passed;
    if (answer.length) head.length = *answer.length;
    if (answer.stream) startDownload(answer, head);
    if (slot.parser.isHead() || answer.status == 204 || answer.status == 304) answer.body.truncate(0);

    if (AccessLines::enabled()) logAnswer(answer, answer.body.size());
    Buffer& scratch = loop_.scratch();
    scratch.clear();
    appendHead(scratch, head);
    answer.body.prepend(scratch.view());
    slot.out = std::move(answer.body);
    slot.exchange = {};
    if (slot.download.active()) state_ = State::Writing;
    if (pumping_) {
        if (state_ != State::Writing) state_ = State::Sending;
        return loop_.poller().yield(*this);
    }
    if (slot.download.active()) return send();
    if (loop_.poller().putOff(*this))
        state_ = State::Sending;
    else
        send();
}

void Connection::logAnswer(const core::WireAnswer& answer, std::size_t bytes) {
    AccessEntry entry;
    entry.peer = slot_->peer;
    entry.method = slot_->method;
    entry.path = slot_->path;
    entry.requestId = answer.requestId;
    entry.endpoint = answer.endpoint;
    entry.operation = answer.operation;
    entry.status = answer.status;
    entry.bytes = bytes;
    entry.duration = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - slot_->begun);
    loop_.logAccess(entry);
}

void Connection::send() {
    Buffer& out = slot_->out;
    while (!out.empty()) {
        const ssize_t size = sendNow(handle(), out.data(), out.size());
        if (size > 0) {
            out.consume(static_cast<std::size_t>(size));
            continue;
        }
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) return awaitRoom();
        return close();
    }
    slot_->download.active() ? sendDownload() : sent();
}

/// The socket is full. The caller has body-time to take anything, and to take all of it a second more for each so many
/// bytes: the answer's memory is not its to keep.
void Connection::awaitRoom() {
    const milliseconds patience = limits().bodyTime;
    slot_->queued = queued();
    if (slot_->download.active()) {
        // Of a stream nobody knows how long it will be: as long as it moves, it may.
        slot_->writeBy = TimePoint::max();
    } else if (state_ != State::Writing) {
        state_ = State::Writing;
        const auto seconds = std::chrono::seconds((slot_->out.size() + slot_->queued) / slowestBytesPerSecond);
        slot_->writeBy = patience.count() ? Clock::now() + patience + seconds : TimePoint::max();
    }
    loop_.setTimer(*this, patience.count() ? std::min(Clock::now() + patience, slot_->writeBy) : TimePoint::max());
}

/// The time to take something is over. The kernel tells of room late, when a third of its buffer is free: one who reads
/// slowly has taken something all the same.
void Connection::noRoom() {
    const std::size_t now = queued();
    const TimePoint time = Clock::now();
    if (now >= slot_->queued || time >= slot_->writeBy) return close();
    slot_->queued = now;
    loop_.setTimer(*this, std::min(time + limits().bodyTime, slot_->writeBy));
}

/// What the kernel has of our answers and the caller has not.
std::size_t Connection::queued() {
    int size = 0;
    return ioctl(handle(), SIOCOUTQ, &size) == 0 && size > 0 ? static_cast<std::size_t>(size) : 0;
}

void Connection::sent() {
    loop_.exchanges().giveBuffer(std::move(slot_->out));
    leaveUpload();
    if (slot_->close) return startLinger();
    if (slot_->skip) {
        slot_->request.memory.truncate(slot_->headAt);
        state_ = State::Skipping;
        setDeadline(limits().bodyTime);
        return;
    }
    nextRequest();
}

/// Idle again, or at once into the next request that is here already.
void Connection::nextRequest() {
    state_ = State::Idle;
    served_ = true;
    setDeadline(acceptor_->settings()->limits.idle);
    if (slot_->rest.empty()) return loop_.giveSlot(std::move(slot_));
    Buffer rest;
    rest.swap(slot_->rest);
    slot_->clear();
    prepareSlot();
    slot_->request.memory.append(rest.view());
    slot_->fresh = true;
    rest.clear();
    slot_->rest.swap(rest);
}

}  // namespace postbus::http
