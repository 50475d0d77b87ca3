#pragma once

#include <cassert>
#include <cstddef>
#include <new>

namespace postbus::http {

/// Memory for one pending operation of Asio, kept where the operation belongs: starting it allocates nothing.
///
/// Asio frees an operation's memory before it runs the handler, so the handler may start the next one here. A second
/// operation at the same time, or one that is too large, gets memory from the heap.
class HandlerMemory {
public:
    HandlerMemory() = default;
    HandlerMemory(const HandlerMemory&) = delete;
    HandlerMemory& operator=(const HandlerMemory&) = delete;

    void* allocate(std::size_t size) {
        if (used_ || size > sizeof storage_) return ::operator new(size);
        used_ = true;
        return storage_;
    }
    void deallocate(void* pointer) {
        if (pointer == storage_)
            used_ = false;
        else
            ::operator delete(pointer);
    }

private:
    alignas(std::max_align_t) std::byte storage_[112];
    bool used_ = false;
};

/// The allocator that hands it out; what Asio asks a handler for.
template <class T>
class HandlerAllocator {
public:
    using value_type = T;
    explicit HandlerAllocator(HandlerMemory& memory) : memory_(&memory) {}
    template <class U>
    HandlerAllocator(const HandlerAllocator<U>& other) : memory_(other.memory_) {}

    T* allocate(std::size_t n) { return static_cast<T*>(memory_->allocate(sizeof(T) * n)); }
    void deallocate(T* pointer, std::size_t) { memory_->deallocate(pointer); }
    template <class U>
    bool operator==(const HandlerAllocator<U>& other) const {
        return memory_ == other.memory_;
    }

private:
    template <class>
    friend class HandlerAllocator;
    HandlerMemory* memory_;
};

/// A handler with its memory.
template <class Function>
struct WithMemory {
    using allocator_type = HandlerAllocator<std::byte>;
    HandlerMemory* memory;
    Function function;

    allocator_type get_allocator() const { return allocator_type(*memory); }
    template <class... Arguments>
    void operator()(Arguments&&... arguments) {
        function(static_cast<Arguments&&>(arguments)...);
    }
};
template <class Function>
WithMemory(HandlerMemory*, Function) -> WithMemory<Function>;

}  // namespace postbus::http
