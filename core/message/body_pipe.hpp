#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/buffer.hpp"
#include "base/error.hpp"

namespace postbus::core {

/// A body that passes through in pieces: one side puts them in as they come, the other takes them out as they leave. It
/// holds little: a producer that finds it full reads no further, so that the slower side sets the pace.
///
/// Shared by both sides, which are on one loop; all calls are made there. Neither side is called from within a call
/// that it makes itself.
class BodyPipe {
public:
    /// One that takes out.
    class Reader {
    public:
        /// There is more, or the end, or a failure.
        virtual void onBody() = 0;
        /// Whether all that it has taken out has reached the other side, as far as can be told from here.
        virtual bool delivered() const { return true; }

    protected:
        ~Reader() = default;
    };
    /// One that puts in.
    class Producer {
    public:
        /// There is room again, where wants() was false.
        virtual void onRoom() = 0;
        /// Nobody takes what is still to come.
        virtual void onClosed() = 0;

    protected:
        ~Producer() = default;
    };
    enum class State : std::uint8_t { Open, Ended, Failed };

    /// Bytes that are put in at once, and about what it holds at most.
    static constexpr std::size_t room = 64 * 1024;

    /// `length`: of the whole body, where that is known beforehand.
    explicit BodyPipe(std::optional<std::uint64_t> length = {}) : length_(length) {}
    BodyPipe(const BodyPipe&) = delete;
    BodyPipe& operator=(const BodyPipe&) = delete;

    std::optional<std::uint64_t> length() const { return length_; }

    // The producer's side.
    /// Null: it is gone; end() or fail() comes before.
    void producedBy(Producer* producer) { producer_ = producer; }
    bool wants() const { return buffer_.empty() && !closed_; }
    bool closed() const { return closed_; }
    /// Memory to write into while wants(); added() says how many bytes came to be there.
    char* prepare(std::size_t size = room);
    void added(std::size_t size);
    void end();
    void fail(Error error);
    /// Whether what was put in has reached the other side, as far as the reader can tell.
    bool delivered() const { return buffer_.empty() && (!reader_ || reader_->delivered()); }

    // The reader's side.
    /// Null: it does not listen now.
    void readBy(Reader* reader) { reader_ = reader; }
    /// What is there; the view holds until consume() or until the producer is called.
    std::string_view peek() const { return buffer_.view(); }
    /// May have the producer put in more before it returns.
    void consume(std::size_t size);
    /// Open while there is something to take out, whatever came behind it.
    State state() const { return buffer_.empty() ? state_ : State::Open; }
    /// Of State::Failed.
    const Error& error() const { return *error_; }
    /// No more is taken out.
    void close();

private:
    void tell();

    const std::optional<std::uint64_t> length_;
    Buffer buffer_;
    Producer* producer_ = nullptr;
    Reader* reader_ = nullptr;
    State state_ = State::Open;
    bool closed_ = false;
    bool consuming_ = false, telling_ = false;
    std::optional<Error> error_;
};

}  // namespace postbus::core
