#include <cerrno>

#include "transports/http/client/client_connection.hpp"
#include "transports/http/client/client_pool.hpp"
#include "transports/http/connection/socket_calls.hpp"
#include "transports/http/loop/loop.hpp"

namespace postbus::http {

/// Head and body, as far as the socket takes them; then what a stream brings.
void ClientConnection::send() {
    const auto self = shared_from_this();
    while (sent_ < total_) {
        const Buffer& head = call_->head;
        const bool inHead = sent_ < head.size();
        const std::string_view piece = inHead ? head.view().substr(sent_) : call_->body.substr(sent_ - head.size());
        // A head whose body follows waits in the kernel for it, to leave in one packet.
        const bool more = inHead && (!call_->body.empty() || (upload_.active() && !upload_.pipe().peek().empty()));
        const ssize_t size = sendNow(descriptor_, piece.data(), piece.size(), more);
        if (size > 0) {
            sent_ += static_cast<std::size_t>(size);
            continue;
        }
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) return wait(Wait::Send, config().times.firstByte);
        return lost(ended(errno));
    }
    if (upload_.active()) return sendUpload();
    if (phase_ == Phase::Head) wait(Wait::FirstByte, config().times.firstByte);
}

void ClientConnection::sendUpload() {
    const milliseconds limit = config().times.firstByte;
    const auto progress = upload_.go(descriptor_);
    if (state_ != State::Carrying) return;  // cancelled from within
    switch (progress) {
        case BodySender::Progress::Done:
            if (phase_ == Phase::Head) wait(Wait::FirstByte, limit);
            return;
        case BodySender::Progress::Full:
            return wait(Wait::Send, limit);
        case BodySender::Progress::Waiting:
            // For the caller: the one who reads from it watches the time.
            return wait(Wait::Send, milliseconds(0));
        case BodySender::Progress::Failed: {
            // The caller's fault, not the backend's, and told in the caller's words.
            const core::BodyPipe& pipe = upload_.pipe();
            Error error = pipe.state() == core::BodyPipe::State::Failed
                              ? Error(pipe.error())
                              : Error::invalid("the body of the request is not as long as it said");
            const auto self = shared_from_this();
            if (answered_) return fail(std::move(error));
            const auto call = std::exchange(call_, nullptr);
            call->carrier_ = nullptr;
            close();
            return call->onFailure(std::move(error));
        }
        case BodySender::Progress::Broken:
            // It may have answered before it closed: the answer is still there to be read.
            if (errno == EPIPE || errno == ECONNRESET) {
                drained_ = false;
                upload_.stop();
                return receive();
            }
            return lost(ended(errno));
    }
}

/// The caller has sent more.
void ClientConnection::onBody() {
    const auto self = shared_from_this();
    if (state_ == State::Carrying && sent_ == total_ && upload_.active()) sendUpload();
}

}  // namespace postbus::http
