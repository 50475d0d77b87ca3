#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace postbus {

/// Bytes with room in front.
///
/// Each layer of the way out puts its head before what is there already (payload, then envelope, then HTTP head), so an
/// answer is built in one piece and never copied. Moving a Buffer keeps the address of its bytes: views stay valid. The
/// memory is kept by clear() and grows by doubling.
///
/// A value; owned by one thread at a time.
class Buffer {
public:
    Buffer() = default;
    /// `headroom` bytes stay free in front, to be taken by prepend().
    explicit Buffer(std::size_t capacity, std::size_t headroom = 0);
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer moved(std::move(other));
        swap(moved);
        return *this;
    }

    const char* data() const { return memory_.get() + begin_; }
    char* data() { return memory_.get() + begin_; }
    std::size_t size() const { return end_ - begin_; }
    bool empty() const { return begin_ == end_; }
    std::size_t capacity() const { return capacity_; }
    std::size_t headroom() const { return begin_; }
    std::string_view view() const { return {data(), size()}; }

    void append(std::string_view bytes) {
        if (bytes.empty()) return;
        if (capacity_ - end_ < bytes.size()) grow(bytes.size());
        std::memcpy(memory_.get() + end_, bytes.data(), bytes.size());
        end_ += bytes.size();
    }
    void append(char byte) {
        if (end_ == capacity_) grow(1);
        memory_[end_++] = byte;
    }
    /// Into the headroom; without enough of it, the content is moved.
    void prepend(std::string_view bytes);

    /// At least `size` writable bytes behind the content; commit() says how many were used. For reading from a socket.
    char* prepare(std::size_t size) {
        if (capacity_ - end_ < size) grow(size);
        return memory_.get() + end_;
    }
    std::size_t writable() const { return capacity_ - end_; }
    void commit(std::size_t size) { end_ += size; }

    /// Drops bytes at the front, at the back.
    void consume(std::size_t size) { begin_ += size; }
    void truncate(std::size_t size) { end_ = begin_ + size; }
    /// Empty again, with that much room in front.
    void clear(std::size_t headroom = 0) {
        if (headroom > capacity_) [[unlikely]]
            *this = Buffer(2 * headroom, headroom);
        else
            begin_ = end_ = headroom;
    }

    void swap(Buffer& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(capacity_, other.capacity_);
        std::swap(begin_, other.begin_);
        std::swap(end_, other.end_);
    }

private:
    void grow(std::size_t more);

    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
};

}  // namespace postbus
