#include "admin/handover.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace postbus::admin {
namespace {

// Most callers are quick to read; for the others the loop's timers are fine enough.
constexpr int quickLooks = 100;
constexpr milliseconds between{16}, longestReading{30'000};

struct Owned {
    Owned(std::shared_ptr<Handover> producer, std::optional<std::uint64_t> length)
        : handover(std::move(producer)), pipe(length) {}
    std::shared_ptr<Handover> handover;
    core::BodyPipe pipe;
};

}  // namespace

Handover::Made Handover::make(Executor& loop, Content content, Confirm confirm) {
    // A body without bytes has its end alone to wait with, and that is to be seen in chunks.
    const bool chunked = content.bytes.empty() && confirm;
    const auto length = chunked ? std::nullopt : std::optional<std::uint64_t>(content.bytes.size());
    const std::shared_ptr<Handover> handover(new Handover(loop, std::move(content), std::move(confirm)));
    const auto owned = std::make_shared<Owned>(handover, length);
    owned->pipe.producedBy(handover.get());
    std::shared_ptr<core::BodyPipe> stream(owned, &owned->pipe);
    handover->stream_ = stream;
    return {handover, std::move(stream)};
}

void Handover::begin() {
    const auto stream = stream_.lock();
    if (stream) proceed(*stream);
}

void Handover::onRoom() {
    const auto self = shared_from_this();
    if (const auto stream = stream_.lock()) proceed(*stream);
}

void Handover::onClosed() {
    if (!confirming_) confirm_ = {};
    if (!timed_) return;
    loop_.cancelTimer(*this);
    const auto self = std::move(timed_);
}

void Handover::put(core::BodyPipe& stream, std::size_t end) {
    const std::size_t size = std::min(core::BodyPipe::room, end - at_);
    std::memcpy(stream.prepare(size), content_.bytes.data() + at_, size);
    at_ += size;
    stream.added(size);
}

void Handover::proceed(core::BodyPipe& stream) {
    const std::size_t all = content_.bytes.size();
    const std::size_t end = confirm_ && all ? all - 1 : all;
    while (at_ < end) {
        if (!stream.wants()) return;
        put(stream, end);
    }
    if (!confirm_) {
        if (!stream.closed()) stream.end();
        return;
    }
    if (!stream.wants() || std::exchange(looking_, true)) return;
    patience_ = Clock::now() + longestReading;
    // Behind a further look of the loop at its connections: that a caller has gone before shows by what was sent to it.
    loop_.post([self = shared_from_this()] { self->loop_.post([self] { self->look(); }); });
}

/// Whether the caller has read what was sent; if so, it is confirmed.
void Handover::look() {
    const auto stream = stream_.lock();
    if (!stream || stream->closed()) {
        confirm_ = {};
        return;
    }
    if (!stream->delivered()) {
        if (Clock::now() < patience_) return lookAgain();
        confirm_ = {};
        return stream->fail(Error(Error::Kind::Timeout, "the caller does not read what it has asked for"));
    }
    confirming_ = true;
    confirm_([self = shared_from_this()](Result<void> done) {
        self->loop_.post([self, done = std::move(done)] { self->confirmed(done); });
    });
}

void Handover::lookAgain() {
    if (++looks_ <= quickLooks) {
        loop_.post([self = shared_from_this()] { self->look(); });
        return;
    }
    timed_ = shared_from_this();
    loop_.setTimer(*this, Clock::now() + between);
}

void Handover::onTimer() {
    const auto self = std::move(timed_);
    look();
}

void Handover::confirmed(const Result<void>& done) {
    confirm_ = {};
    const auto stream = stream_.lock();
    if (!stream || stream->closed()) return;
    if (done)
        proceed(*stream);
    else
        stream->fail(Error(done.error()));
}

}  // namespace postbus::admin
