#pragma once

#include <cstdint>
#include <memory>

#include "base/buffer.hpp"
#include "core/message/body_pipe.hpp"

namespace postbus::http {

/// Sends a body that comes through a pipe to a socket: as it is, where the head has told its length or the end of the
/// connection is its end, else in chunks (RFC 9112 section 7.1). For its loop's thread.
class BodySender {
public:
    enum class Progress {
        Done,
        Full,     ///< the socket: go on when it has room
        Waiting,  ///< for more to come through the pipe
        Failed,   ///< the one who puts in has failed, or has put in another number of bytes than it said
        Broken    ///< the socket
    };

    void begin(std::shared_ptr<core::BodyPipe> pipe, bool chunked);
    bool active() const { return pipe_ != nullptr; }
    core::BodyPipe& pipe() const { return *pipe_; }
    /// Sends what there is. After Done nothing is left of it.
    Progress go(int descriptor);
    /// Bytes that have left.
    std::uint64_t sent() const { return sent_; }
    /// Takes no more.
    void stop();

private:
    bool fill();

    std::shared_ptr<core::BodyPipe> pipe_;
    Buffer framed_;
    bool chunked_ = false, last_ = false;
    std::uint64_t sent_ = 0, taken_ = 0;
};

}  // namespace postbus::http
