#pragma once

#include <postbus/tape.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/result.hpp"
#include "formats/xml/tape.hpp"
#include "plugins/host/frames/frame.hpp"

/// What frames say, as values. Texts are views: of the sender's memory when written, of the frame's body when read, and
/// so lent. Each is written by write() as a whole frame, and read by its own read() from a body that anybody may have
/// made: an error says what could not be understood. `number` is the call's, as the frame has it.
namespace postbus::host {

using Field = std::pair<std::string_view, std::string_view>;

/// What a message says: a document, bytes that are none, or nothing.
enum class Form : std::uint8_t { Nothing = 0, Document = 1, Bytes = 2 };

/// A request, with all that the ABI lends of one.
struct Call {
    std::uint32_t service = 0;    ///< its place in Hello
    std::uint32_t operation = 0;  ///< postbus_operation.id
    std::uint32_t payload = POSTBUS_NO_NODE, content = POSTBUS_NO_NODE;
    std::uint32_t hops = 0;
    std::int64_t deadline = 0;  ///< CLOCK_MONOTONIC in nanoseconds, which processes share; 0 for none
    std::string_view id, contentType;
    std::vector<Field> headers;
    Form form = Form::Nothing;
    const postbus_tape* tape = nullptr;  ///< to be written
    std::string_view bytes;              ///< to be written; as read: a document's as well, for Tape::receive()

    Result<void> write(Buffer& out, std::uint64_t number) const;
    /// With payload and content that name elements of the document, once that is received: fits() says.
    Result<void> read(std::string_view body);
    bool fits(const postbus_tape& document) const;
};

struct Answer {
    std::string_view contentType;  ///< empty: the binding's own
    std::vector<Field> headers;
    Form form = Form::Nothing;
    const postbus_tape* tape = nullptr;
    std::string_view bytes;

    Result<void> write(Buffer& out, std::uint64_t number) const;
    Result<void> read(std::string_view body);
};

struct Fault {
    std::uint32_t code = 0;  ///< POSTBUS_FAULT_SENDER or POSTBUS_FAULT_RECEIVER, nothing else once read
    std::string_view reason, detail;

    Result<void> write(Buffer& out, std::uint64_t number) const;
    Result<void> read(std::string_view body);
};

struct LogLine {
    std::uint32_t service = 0;
    std::int32_t level = 0;
    std::string_view text;

    Result<void> write(Buffer& out) const;
    Result<void> read(std::string_view body);
};

/// Why a plugin can't serve in a host.
struct Refusal {
    Error::Kind kind = Error::Kind::Invalid;  ///< Internal: its start failed; else its file is at fault
    std::string_view reason;

    Result<void> write(Buffer& out) const;
    Result<void> read(std::string_view body);
};

/// A frame that says nothing but its kind: Cancel, Stop, Stopped.
void writePlain(Buffer& out, FrameKind kind, std::uint64_t id = 0);

}  // namespace postbus::host
