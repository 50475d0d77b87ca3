#include "transports/http/body/body_receiver.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "transports/http/connection/socket_calls.hpp"

namespace postbus::http {

void BodyReceiver::begin(std::shared_ptr<core::BodyPipe> pipe, Framing framing, std::uint64_t length,
                         ChunkedDecoder::Limits chunks) {
    pipe_ = std::move(pipe);
    framing_ = framing;
    left_ = framing == Framing::Length ? length : 0;
    received_ = 0;
    chunks_.reset(chunks);
    excess_.clear();
}

BodyReceiver::Progress BodyReceiver::finish() {
    const auto pipe = std::exchange(pipe_, nullptr);
    pipe->end();
    return Progress::Done;
}

BodyReceiver::Progress BodyReceiver::feed(std::string_view bytes) {
    if (bytes.empty()) return framing_ == Framing::Length && left_ == 0 ? finish() : Progress::Drained;
    char* const to = pipe_->prepare(std::max(bytes.size(), core::BodyPipe::room));
    std::memcpy(to, bytes.data(), bytes.size());
    return take(to, bytes.size());
}

void BodyReceiver::resume(const ChunkedDecoder& chunks, std::string_view decoded) {
    chunks_ = chunks;
    received_ = decoded.size();
    if (decoded.empty()) return;
    const auto pipe = pipe_;
    std::memcpy(pipe->prepare(std::max(decoded.size(), core::BodyPipe::room)), decoded.data(), decoded.size());
    pipe->added(decoded.size());
}

/// Of `size` bytes that lie where the pipe wants them. Drained: they were good, and the body goes on.
BodyReceiver::Progress BodyReceiver::take(char* data, std::size_t size) {
    const auto pipe = pipe_;  // its reader may end us
    if (framing_ == Framing::Chunked) {
        const auto progress = chunks_.decode(data, size);
        if (progress.status == ChunkedDecoder::Status::Failed) return Progress::Bad;
        const bool done = progress.status == ChunkedDecoder::Status::Done;
        if (done) excess_.append({data + progress.consumed, size - progress.consumed});
        received_ += progress.produced;
        if (done) pipe_ = nullptr;
        pipe->added(progress.produced);
        if (!done) return Progress::Drained;
        pipe->end();
        return Progress::Done;
    }
    std::size_t mine = size;
    if (framing_ == Framing::Length) {
        mine = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
        left_ -= mine;
        excess_.append({data + mine, size - mine});
    }
    received_ += mine;
    const bool done = framing_ == Framing::Length && left_ == 0;
    if (done) pipe_ = nullptr;
    pipe->added(mine);
    if (!done) return Progress::Drained;
    pipe->end();
    return Progress::Done;
}

BodyReceiver::Progress BodyReceiver::go(int descriptor, bool& drained, bool readsShort) {
    while (pipe_) {
        if (!pipe_->wants()) return Progress::Full;
        if (drained) return Progress::Drained;
        std::size_t room = core::BodyPipe::room;
        if (framing_ == Framing::Length) room = static_cast<std::size_t>(std::min<std::uint64_t>(room, left_));
        char* const to = pipe_->prepare();
        const ssize_t size = receiveNow(descriptor, to, room);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) {
            if (errno != EAGAIN) return Progress::Broken;
            drained = true;
            return Progress::Drained;
        }
        if (size == 0) return framing_ == Framing::UntilClose ? finish() : Progress::Cut;
        // After its last byte the other side's end is there to be read, and no event tells of it again.
        drained = static_cast<std::size_t>(size) < room && !readsShort;
        const auto progress = take(to, static_cast<std::size_t>(size));
        if (progress != Progress::Drained) return progress;
    }
    return Progress::Done;
}

}  // namespace postbus::http
