#include "transports/http/body/body_sender.hpp"

#include <cerrno>
#include <charconv>
#include <utility>

#include "transports/http/connection/socket_calls.hpp"

namespace postbus::http {

void BodySender::begin(std::shared_ptr<core::BodyPipe> pipe, bool chunked) {
    pipe_ = std::move(pipe);
    chunked_ = chunked;
    last_ = false;
    sent_ = taken_ = 0;
    framed_.clear();
}

void BodySender::stop() {
    if (const auto pipe = std::exchange(pipe_, nullptr)) pipe->close();
    framed_ = Buffer();
}

/// The next chunk, or the last one. False: there is nothing for one.
bool BodySender::fill() {
    framed_.clear();
    const std::string_view piece = pipe_->peek();
    if (!piece.empty()) {
        char size[16];
        const char* end = std::to_chars(size, size + sizeof size, piece.size(), 16).ptr;
        framed_.append({size, static_cast<std::size_t>(end - size)});
        framed_.append("\r\n");
        framed_.append(piece);
        framed_.append("\r\n");
        pipe_->consume(piece.size());
        return true;
    }
    if (last_ || pipe_->state() != core::BodyPipe::State::Ended) return false;
    last_ = true;
    framed_.append("0\r\n\r\n");
    return true;
}

BodySender::Progress BodySender::go(int descriptor) {
    using State = core::BodyPipe::State;
    const auto pipe = pipe_;  // a call to it may end us
    for (;;) {
        if (chunked_ && framed_.empty() && !last_) (void)fill();
        if (pipe_ != pipe) return Progress::Waiting;  // stopped from within
        const std::string_view piece = chunked_ ? framed_.view() : pipe->peek();
        if (piece.empty()) {
            if (pipe->state() == State::Failed) return Progress::Failed;
            if (pipe->state() == State::Open || (chunked_ && !last_)) return Progress::Waiting;
            if (!chunked_ && pipe->length() && *pipe->length() != taken_) return Progress::Failed;
            pipe->readBy(nullptr);
            pipe_ = nullptr;
            framed_ = Buffer();
            return Progress::Done;
        }
        const ssize_t size = sendNow(descriptor, piece.data(), piece.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return errno == EAGAIN ? Progress::Full : Progress::Broken;
        sent_ += static_cast<std::uint64_t>(size);
        if (chunked_) {
            framed_.consume(static_cast<std::size_t>(size));
        } else {
            taken_ += static_cast<std::uint64_t>(size);
            pipe->consume(static_cast<std::size_t>(size));
        }
    }
}

}  // namespace postbus::http
