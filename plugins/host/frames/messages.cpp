#include "plugins/host/frames/messages.hpp"

#include <postbus/abi.h>

#include <string>

#include "plugins/host/frames/pack.hpp"

namespace postbus::host {
namespace {

/// More are no message's; a host that sends them is broken.
constexpr std::uint32_t mostHeaders = 10'000;

template <class Codec>
void carry(Codec& codec, std::vector<Field>& headers) {
    std::uint32_t count = static_cast<std::uint32_t>(headers.size());
    if constexpr (Codec::reads) {
        count = codec.count(2 * sizeof(std::uint32_t));
        if (count > mostHeaders) return codec.fail();
        headers.assign(count, {});
    } else {
        codec(count);
    }
    for (auto& [name, value] : headers) {
        codec(name);
        codec(value);
    }
}

template <class Codec>
void carry(Codec& codec, Form& form) {
    auto number = static_cast<std::uint8_t>(form);
    codec(number);
    if constexpr (Codec::reads) {
        if (number > static_cast<std::uint8_t>(Form::Bytes)) return codec.fail();
        form = static_cast<Form>(number);
    }
}

/// What is said: behind everything else, so that it needs no place of its own before it is written.
template <class Said>
void writeSaid(Buffer& out, const Said& said) {
    if (said.form == Form::Document)
        xml::Tape::pass(*said.tape, out);
    else if (said.form == Form::Bytes)
        out.append(said.bytes);
}

template <class Codec>
void carry(Codec& codec, Call& call) {
    codec(call.service);
    codec(call.operation);
    codec(call.payload);
    codec(call.content);
    codec(call.hops);
    codec(call.deadline);
    codec(call.id);
    codec(call.contentType);
    carry(codec, call.headers);
    carry(codec, call.form);
}

template <class Codec>
void carry(Codec& codec, Answer& answer) {
    codec(answer.contentType);
    carry(codec, answer.headers);
    carry(codec, answer.form);
}

template <class Codec>
void carry(Codec& codec, Fault& fault) {
    codec(fault.code);
    codec(fault.reason);
    codec(fault.detail);
}

template <class Codec>
void carry(Codec& codec, LogLine& line) {
    codec(line.service);
    codec(line.level);
    codec(line.text);
}

template <class Codec>
void carry(Codec& codec, Refusal& refusal) {
    auto kind = static_cast<std::uint32_t>(refusal.kind);
    codec(kind);
    codec(refusal.reason);
    if constexpr (Codec::reads)
        refusal.kind =
            kind == static_cast<std::uint32_t>(Error::Kind::Internal) ? Error::Kind::Internal : Error::Kind::Invalid;
}

template <class Message>
void pack(Buffer& out, const Message& message) {
    Packer packer(out);
    carry(packer, const_cast<Message&>(message));  // a Packer only looks
}

Error notUnderstood(const char* what) { return Error::invalid(std::string("a frame that should be ") + what); }

/// One that ends with what it says.
template <class Message>
Result<void> unpackSaying(std::string_view body, Message& message, const char* what) {
    Unpacker unpacker(body);
    carry(unpacker, message);
    message.bytes = unpacker.remainder();
    if (!unpacker.good() || (message.form == Form::Nothing && !message.bytes.empty())) return notUnderstood(what);
    return ok();
}

template <class Message>
Result<void> unpack(std::string_view body, Message& message, const char* what) {
    Unpacker unpacker(body);
    carry(unpacker, message);
    return unpacker.whole() ? ok() : Result<void>(notUnderstood(what));
}

template <class Message>
Result<void> writeWhole(Buffer& out, FrameKind kind, std::uint64_t id, const Message& message) {
    FrameInMaking frame(out, kind, id);
    pack(out, message);
    return frame.end();
}

template <class Message>
Result<void> writeSaying(Buffer& out, FrameKind kind, std::uint64_t id, const Message& message) {
    FrameInMaking frame(out, kind, id);
    pack(out, message);
    writeSaid(out, message);
    return frame.end();
}

bool isElement(const postbus_tape& tape, std::uint32_t node) {
    return node == POSTBUS_NO_NODE || (node < tape.node_count && tape.nodes[node].kind == POSTBUS_NODE_ELEMENT);
}

}  // namespace

Result<void> Call::write(Buffer& out, std::uint64_t number) const {
    return writeSaying(out, FrameKind::Call, number, *this);
}
Result<void> Call::read(std::string_view body) { return unpackSaying(body, *this, "a call"); }
bool Call::fits(const postbus_tape& document) const {
    return isElement(document, payload) && isElement(document, content);
}

Result<void> Answer::write(Buffer& out, std::uint64_t number) const {
    return writeSaying(out, FrameKind::Answer, number, *this);
}
Result<void> Answer::read(std::string_view body) { return unpackSaying(body, *this, "an answer"); }

Result<void> Fault::write(Buffer& out, std::uint64_t number) const {
    return writeWhole(out, FrameKind::Fault, number, *this);
}
Result<void> Fault::read(std::string_view body) {
    if (auto read = unpack(body, *this, "a fault"); !read) return read;
    if (code != POSTBUS_FAULT_SENDER) code = POSTBUS_FAULT_RECEIVER;
    return ok();
}

Result<void> LogLine::write(Buffer& out) const { return writeWhole(out, FrameKind::Log, 0, *this); }
Result<void> LogLine::read(std::string_view body) { return unpack(body, *this, "a line of the log"); }

Result<void> Refusal::write(Buffer& out) const { return writeWhole(out, FrameKind::Refused, 0, *this); }
Result<void> Refusal::read(std::string_view body) { return unpack(body, *this, "a refusal"); }

void writePlain(Buffer& out, FrameKind kind, std::uint64_t id) { (void)FrameInMaking(out, kind, id).end(); }

}  // namespace postbus::host
