#include "core/message/body_pipe.hpp"

#include <utility>

namespace postbus::core {

char* BodyPipe::prepare(std::size_t size) {
    buffer_.clear();
    return buffer_.prepare(size);
}

void BodyPipe::added(std::size_t size) {
    buffer_.commit(size);
    if (size) tell();
}

void BodyPipe::end() {
    if (state_ != State::Open) return;
    state_ = State::Ended;
    producer_ = nullptr;
    tell();
}

void BodyPipe::fail(Error error) {
    if (state_ != State::Open) return;
    state_ = State::Failed;
    error_ = std::move(error);
    producer_ = nullptr;
    tell();
}

/// A reader that is at work looks again by itself.
void BodyPipe::tell() {
    if (!reader_ || consuming_ || closed_) return;
    telling_ = true;
    reader_->onBody();
    telling_ = false;
}

void BodyPipe::consume(std::size_t size) {
    buffer_.consume(size);
    // A producer that has just put something in looks again by itself.
    if (!buffer_.empty() || !producer_ || telling_) return;
    consuming_ = true;
    producer_->onRoom();
    consuming_ = false;
}

void BodyPipe::close() {
    if (std::exchange(closed_, true)) return;
    reader_ = nullptr;
    if (Producer* producer = std::exchange(producer_, nullptr); producer && state_ == State::Open) producer->onClosed();
}

}  // namespace postbus::core
