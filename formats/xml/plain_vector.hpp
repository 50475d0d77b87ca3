#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace postbus::xml {

/// A vector of plain values for those who add one at a time and very often: what is added is not set to anything first,
/// for the caller to fill in its place, and the way to more memory stays out of the caller's code.
///
/// A value; owned by one thread at a time.
template <class T>
class PlainVector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    PlainVector() = default;
    PlainVector(PlainVector&& other) noexcept { swap(other); }
    PlainVector& operator=(PlainVector&& other) noexcept {
        PlainVector moved(std::move(other));
        swap(moved);
        return *this;
    }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    T* data() { return memory_.get(); }
    const T* data() const { return memory_.get(); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& operator[](std::size_t i) { return memory_[i]; }
    const T& operator[](std::size_t i) const { return memory_[i]; }
    T& back() { return memory_[size_ - 1]; }

    /// One more, with no value yet.
    T& add() {
        if (size_ == capacity_) [[unlikely]]
            move(std::max<std::size_t>(8, 2 * capacity_));
        return memory_[size_++];
    }
    /// So many, of which those that are new have no value yet.
    void resize(std::size_t size) {
        if (size > capacity_) move(size);
        size_ = size;
    }
    /// Keeps the first ones; no more than there are.
    void truncate(std::size_t size) { size_ = size; }
    void clear() { size_ = 0; }
    /// Gives back what memory is not used.
    void shrink() {
        if (capacity_ > size_) move(size_);
    }

    void swap(PlainVector& other) noexcept {
        memory_.swap(other.memory_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    [[gnu::noinline]] void move(std::size_t capacity) {
        auto moved = capacity == 0 ? nullptr : std::make_unique_for_overwrite<T[]>(capacity);
        std::copy_n(memory_.get(), size_, moved.get());
        memory_ = std::move(moved);
        capacity_ = capacity;
    }

    std::unique_ptr<T[]> memory_;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace postbus::xml
