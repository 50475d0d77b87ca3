#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "formats/mime/content_coding.hpp"
#include "transports/http/connection/connection.hpp"
#include "transports/http/connection/socket_calls.hpp"
#include "transports/http/message/accept_encoding.hpp"
#include "transports/http/message/forwarded.hpp"
#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

constexpr std::size_t hostRoom = forwardedHostRoom;
constexpr std::size_t firstRead = 4096 - 512;
/// What is set aside at once for a body of known length; beyond that the buffer grows as the body comes.
constexpr std::uint64_t reservedBody = 256 * 1024;
constexpr std::size_t mostCodings = 3;
constexpr std::size_t mostReadAhead = 16 * 1024;

}  // namespace

/// Reads what there is, at most what has room; `wanted` bytes have at least. End: the caller has finished sending, or
/// is gone.
Connection::Received Connection::receive(std::size_t wanted) {
    Buffer& memory = slot_->request.memory;
    char* const to = memory.prepare(wanted);
    // Not all the room of a large buffer: what is read ahead of its time is copied once more.
    const std::size_t room = std::min(memory.writable(), std::max(wanted, mostReadAhead));
    for (;;) {
        const ssize_t size = receiveNow(handle(), to, room);
        if (size > 0) {
            memory.commit(static_cast<std::size_t>(size));
            // After its last byte the caller's end is there to be read, and no event tells of it again.
            drained_ = static_cast<std::size_t>(size) < room && !ended_ && !halts_;
            return Received::Some;
        }
        if (size == 0) return Received::End;
        if (errno == EINTR) continue;
        drained_ = true;
        if (errno != EAGAIN) close();
        return Received::Nothing;
    }
}

void Connection::takeSlot() {
    slot_ = loop_.takeSlot();
    prepareSlot();
}

void Connection::prepareSlot() {
    slot_->settings = acceptor_->settings();
    slot_->parser.reset({slot_->settings->limits.headers.bytes, slot_->settings->limits.headerCount});
    Buffer& memory = slot_->request.memory;
    memory.clear();
    memory.prepare(hostRoom + firstRead);
    memory.commit(hostRoom);
    memory.append({peer_, peerLength_});
    memory.append(slot_->settings->name);
    slot_->headAt = memory.size();
    slot_->fresh = false;
}

bool Connection::readHead() {
    if (!slot_) {
        if (drained_) return false;
        takeSlot();
    }
    for (;;) {
        Buffer& memory = slot_->request.memory;
        if (slot_->fresh) {
            slot_->fresh = false;
            const auto status = slot_->parser.parse(memory.data() + slot_->headAt, memory.size() - slot_->headAt);
            if (status == HeadParser::Status::Done) return gotHead();
            if (status == HeadParser::Status::Failed) return headFailed(slot_->parser.refusal());
            if (state_ == State::Idle) {
                state_ = State::Head;
                slot_->begun = loop_.now();
                setDeadline(limits().headerTime);
            }
        }
        if (drained_) break;
        const Received received = receive(1024);
        if (received == Received::End) return endOfInput();
        if (received == Received::Nothing) break;
        slot_->fresh = true;
    }
    if (state_ == State::Closed) return false;
    if (state_ == State::Idle) loop_.giveSlot(std::move(slot_));
    return false;
}

/// The caller sends no more. Between requests that is its good-bye; inside of one it may still read an answer.
bool Connection::endOfInput() {
    if (state_ == State::Head && slot_->parser.begun())
        refusePlainly({400, "the request ended inside of its head"});
    else if (state_ == State::Body)
        refuse(Error::invalid("the request ended inside of its body"), 400);
    else
        close();
    return true;
}

bool Connection::headFailed(const Refusal& refusal) {
    if (state_ == State::Idle) slot_->begun = loop_.now();
    refusePlainly(refusal);
    return true;
}

/// The head is whole: who is meant, and what speaks against reading on.
bool Connection::gotHead() {
    RequestSlot& slot = *slot_;
    if (state_ == State::Idle) slot.begun = loop_.now();
    state_ = State::Head;
    bump<std::uint64_t>(loop_.figures().requests);
    slot.bodyAt = slot.headAt + slot.parser.size();
    slot.close = !slot.parser.framing().keepAlive;
    if (slot.parser.has(HeadParser::Known::AcceptEncoding)) {
        AcceptedCodings accepted;
        slot.parser.forEach(HeadParser::Known::AcceptEncoding, slot.request.memory.data() + slot.headAt,
                            [&](std::string_view list) { accepted.add(list); });
        slot.gzip = accepted.gzip();
    }
    describe(head());

    const core::InboundPort& port = loop_.port();
    if (slot.parser.asterisk()) {
        core::WireAnswer answer;
        answer.status = 204;
        answer.headers.emplace_back("Allow", "GET, HEAD, POST, OPTIONS");
        answer.requestId = loop_.nextRequestId();
        passBody();
        give(answer);
        return true;
    }
    slot.admission = port.admit(head());
    if (slot.parser.isOptions() && !slot.admission.binding) {
        core::WireAnswer answer = port.options(slot.admission);
        answer.requestId = loop_.nextRequestId();
        passBody();
        give(answer);
        return true;
    }
    if (auto checked = port.check(slot.admission, head()); !checked) {
        const Error& error = checked.error();
        const int status = slot.admission.binding ? core::httpStatus(error.kind()) : 0;
        refuse(std::move(checked).error(), status);
        return true;
    }
    return acceptBody();
}

/// Puts the views into the head, of which the bytes may have moved.
void Connection::describe(core::RequestHead& head) {
    RequestSlot& slot = *slot_;
    const char* const base = slot.request.memory.data();
    slot.describedAt = base;
    slot.parser.fill(head, base + slot.headAt);
    head.peer = {base + hostRoom, peerLength_};
    head.listener = {base + hostRoom + peerLength_, slot.headAt - hostRoom - peerLength_};
    head.scheme = "http";
    head.local = acceptor_->listener().isUnix;
    head.takesStreams = true;
    if (head.host.empty()) head.host = ownHost();
    if (const auto& proxies = slot.settings->trustedProxies; !proxies.empty() && isOneOf(proxies, ip_))
        applyForwarded(slot.parser, base + slot.headAt, proxies,
                       std::span<char, hostRoom>(slot.request.memory.data(), hostRoom), head);
    slot.method = head.method;
    slot.path = head.path;
    slot.peer = head.peer;
}

/// Where the caller has reached us, for one that does not say whom it meant (HTTP/1.0).
std::string_view Connection::ownHost() {
    if (acceptor_->listener().isUnix) return "localhost";
    SocketAddress own;
    own.length = sizeof own.storage;
    if (getsockname(handle(), own.get(), &own.length) != 0) return "localhost";
    char* const room = slot_->request.memory.data();
    return {room, addressText(own).copy(room, hostRoom)};
}

/// Notes the body's content codings, in the order they were applied. False: there is one we lack.
bool Connection::readCodings() {
    RequestSlot& slot = *slot_;
    slot.codings.clear();
    bool known = true;
    slot.parser.forEach(HeadParser::Known::ContentEncoding, slot.request.memory.data() + slot.headAt,
                        [&](std::string_view list) {
                            forEachElement(list, [&](std::string_view name) {
                                if (sameText(name, "identity")) return;
                                const auto coding = mime::codingNamed(name);
                                known = known && coding && slot.codings.size() < mostCodings;
                                if (known) slot.codings.push_back(*coding);
                            });
                        });
    return known;
}

/// Limits and expectations, before a byte of the body is read.
bool Connection::acceptBody() {
    RequestSlot& slot = *slot_;
    const Framing& framing = slot.parser.framing();
    const core::Route& route = *slot.admission.route;
    const bool passed = slot.admission.binding->passesBodies();
    // The listener's limit is there for the memory of bodies; one that passes through takes none.
    slot.bodyLimit = route.limits.body || passed ? route.limits.body : limits().body.bytes;
    if (framing.expect == Framing::Expect::Other) {
        refuse(Error::invalid("of expectations only 100-continue can be met"), 417);
        return true;
    }
    if (framing.hasLength && slot.bodyLimit && framing.length > slot.bodyLimit) {
        refuse(Error(Error::Kind::TooLarge, "the body is larger than the " + std::to_string(slot.bodyLimit) +
                                                " bytes this endpoint takes (limits.body)"),
               413);
        return true;
    }
    if (passed) {
        slot.codings.clear();
    } else if (!readCodings()) {
        slot.refusedCoding = true;
        refuse(Error(Error::Kind::Unsupported, "of content codings only gzip and deflate are taken"), 415);
        return true;
    }
    const std::size_t there = slot.request.memory.size() - slot.bodyAt;
    const bool whole = !framing.chunked && there >= framing.length;
    if (framing.expect == Framing::Expect::Continue && !whole && there == 0) sendContinue();
    if (state_ == State::Closed) return false;
    if (framing.chunked) {
        slot.chunks.reset({slot.bodyLimit, 256,
                           static_cast<std::uint32_t>(std::min<std::uint64_t>(
                               limits().headers.bytes ? limits().headers.bytes : 32768, 1 << 30))});
        slot.fresh = there > 0;
    }
    if (passed && passesThrough()) return exchangeStream();
    state_ = State::Body;
    if (!whole) setDeadline(limits().bodyTime);
    return true;
}

void Connection::sendContinue() {
    constexpr std::string_view text = "HTTP/1.1 100 Continue\r\n\r\n";
    // 25 bytes on a connection with nothing unsent: the socket has room for them, or its caller is beyond help.
    const ssize_t size = sendNow(handle(), text.data(), text.size());
    if (size != static_cast<ssize_t>(text.size())) close();
}

bool Connection::readBody() {
    RequestSlot& slot = *slot_;
    if (slot.parser.framing().chunked) return readChunks();
    Buffer& memory = slot.request.memory;
    const std::uint64_t length = slot.parser.framing().length;
    for (;;) {
        const std::uint64_t there = memory.size() - slot.bodyAt;
        if (there >= length) {
            slot.bodySize = static_cast<std::size_t>(length);
            keepRest(memory.data() + slot.bodyAt + slot.bodySize, static_cast<std::size_t>(there - length));
            return exchange();
        }
        if (drained_) break;
        const Received received = receive(static_cast<std::size_t>(std::min(length - there, reservedBody)));
        if (received == Received::End) return endOfInput();
        if (received == Received::Nothing) break;
    }
    return false;
}

bool Connection::readChunks() {
    RequestSlot& slot = *slot_;
    Buffer& memory = slot.request.memory;
    for (;;) {
        if (slot.fresh) {
            slot.fresh = false;
            char* const from = memory.data() + slot.bodyAt + slot.bodySize;
            const auto size = static_cast<std::size_t>(memory.data() + memory.size() - from);
            const auto progress = slot.chunks.decode(from, size);
            if (progress.status == ChunkedDecoder::Status::Failed) {
                const Refusal& refusal = slot.chunks.refusal();
                const auto kind = refusal.status == 413 ? Error::Kind::TooLarge : Error::Kind::Invalid;
                refuse(Error(kind, std::string(refusal.reason)), refusal.status);
                return true;
            }
            slot.bodySize += progress.produced;
            if (progress.status == ChunkedDecoder::Status::Done) {
                keepRest(from + progress.consumed, size - progress.consumed);
                return exchange();
            }
            memory.truncate(slot.bodyAt + slot.bodySize);
        }
        if (drained_) break;
        const Received received = receive(4096);
        if (received == Received::End) return endOfInput();
        if (received == Received::Nothing) break;
        slot.fresh = true;
    }
    return false;
}

/// Passes over what is left of a body that was not wanted.
bool Connection::skipBody() {
    RequestSlot& slot = *slot_;
    Buffer& memory = slot.request.memory;
    for (;;) {
        const std::uint64_t there = memory.size() - slot.headAt;
        if (there >= slot.skip) {
            keepRest(memory.data() + slot.headAt + slot.skip, static_cast<std::size_t>(there - slot.skip));
            nextRequest();
            return true;
        }
        slot.skip -= there;
        memory.truncate(slot.headAt);
        if (drained_) break;
        const Received received = receive(4096);
        if (received == Received::End) return endOfInput();
        if (received == Received::Nothing) break;
    }
    return false;
}

void Connection::keepRest(const char* from, std::size_t size) {
    slot_->rest.clear();
    if (size) slot_->rest.append({from, size});
}

/// Takes the content codings off, the last one first.
Result<void> Connection::decodeBody() {
    RequestSlot& slot = *slot_;
    core::WireRequest& request = slot.request;
    const auto limit = static_cast<std::size_t>(slot.bodyLimit ? slot.bodyLimit : SIZE_MAX);
    for (auto coding = slot.codings.rbegin(); coding != slot.codings.rend(); ++coding) {
        Buffer unpacked = coding == slot.codings.rbegin() ? std::move(request.decoded) : loop_.exchanges().takeBuffer();
        unpacked.clear();
        auto done = mime::inflate(request.body, *coding, limit, unpacked);
        loop_.exchanges().giveBuffer(std::move(request.decoded));
        request.decoded = std::move(unpacked);
        if (!done) return std::move(done).error().in("the content coding of the body");
        request.body = request.decoded.view();
    }
    return ok();
}

/// What a caller that is a bus itself says: how far the message has come, and how long its own caller still waits. It
/// can only shorten its own way.
core::Origin Connection::origin() const {
    core::Origin origin;
    const RequestSlot& slot = *slot_;
    const char* const base = slot.request.memory.data() + slot.headAt;
    const auto number = [&](HeadParser::Known which, std::uint32_t most) -> std::optional<std::uint32_t> {
        const std::string_view text = slot.parser.last(which, base);
        std::uint32_t value = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
        return std::min(value, most);
    };
    if (slot.parser.has(HeadParser::Known::Hops))
        origin.hops = static_cast<std::uint8_t>(number(HeadParser::Known::Hops, core::mostHops).value_or(0));
    if (slot.parser.has(HeadParser::Known::TimeLeft))
        if (const auto left = number(HeadParser::Known::TimeLeft, UINT32_MAX))
            origin.deadline = loop_.now() + milliseconds(*left);
    return origin;
}

/// The request is whole: the bus has it.
bool Connection::exchange() {
    RequestSlot& slot = *slot_;
    core::WireRequest& request = slot.request;
    slot.whole = true;
    if (slot.describedAt != request.memory.data()) describe(head());  // the buffer has moved as it grew
    request.body = {request.memory.data() + slot.bodyAt, slot.bodySize};
    if (!slot.codings.empty()) {
        if (auto decoded = decodeBody(); !decoded) {
            const int status = decoded.error().kind() == Error::Kind::TooLarge ? 413 : 400;
            refuse(std::move(decoded).error(), status);
            return true;
        }
    }
    state_ = State::Exchanging;
    const milliseconds limit = limits().exchangeTime;
    core::ExchangeRef ref = loop_.port().receive(loop_.exchanges(), std::move(slot.admission), request,
                                                 core::ReplyTo(shared_from_this()), limit, origin());
    if (!ref.open()) return true;
    slot.exchange = ref;
    loop_.setTimer(*this, ref.deadline());
    if (lost_) close();
    return false;
}

}  // namespace postbus::http
