#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/buffer.hpp"
#include "base/result.hpp"

namespace postbus::host {

/// What the daemon and a plugin's host tell each other. Numbers are in the byte order of the machine they share.
enum class FrameKind : std::uint16_t {
    // From the host, once: either of them.
    Hello = 1,  ///< the plugin, its services and their operations (description.hpp)
    Refused,    ///< why there will be no Hello (Refusal)
    // From the daemon.
    Call,    ///< Call; the frame's id is answered
    Cancel,  ///< nobody waits for the call of that id any more; it is to be answered all the same; empty
    Stop,    ///< nothing is called any more: stop the services, say Stopped, end; empty
    // From the host.
    Answer,  ///< Answer, to the call of that id
    Fault,   ///< Fault, to the call of that id
    Log,     ///< LogLine
    Stopped  ///< empty
};

/// One message of a lane.
struct Frame {
    FrameKind kind{};
    std::uint64_t id = 0;   ///< of the call, 0 where there is none
    std::string_view body;  ///< lent until the next look at the buffer
};

/// What stands before each body.
inline constexpr std::size_t frameHead = 16;
/// No body is larger, which is what bounds the memory of a lane: documents of that size are refused before they come
/// here.
inline constexpr std::size_t largestFrame = std::size_t{1} << 28;

/// Writes one frame at the end of `out`: what the caller appends between begin and end is its body.
class FrameInMaking {
public:
    FrameInMaking(Buffer& out, FrameKind kind, std::uint64_t id);
    /// The frame is whole. Too large: it is taken back, and nothing of it is in `out`.
    Result<void> end();

private:
    Buffer& out_;
    std::size_t begin_;
};

/// The frame at the front of `bytes`; nothing, when it has not come as a whole yet. An error: what comes is no frame,
/// and nothing after it can be understood.
Result<std::optional<Frame>> firstFrame(std::string_view bytes);

}  // namespace postbus::host
