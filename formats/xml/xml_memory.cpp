#include "formats/xml/xml_memory.hpp"

#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#if defined(POSTBUS_ASAN) || defined(POSTBUS_TSAN)
#define POSTBUS_PLAIN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POSTBUS_PLAIN_MALLOC 1
#endif
#endif

namespace postbus::xml {
namespace {

#if !defined(POSTBUS_PLAIN_MALLOC)
// Classes are powers of two from 16 bytes to 256 KiB. A block of class c has at least 16 << c bytes.
constexpr std::size_t smallest = 16;
constexpr std::size_t classes = 15;
constexpr std::size_t largest = smallest << (classes - 1);
constexpr std::size_t keptBytes = 512 * 1024;  // by a thread, over all classes

struct Free {
    Free* next;
};

enum class State : std::uint8_t { Fresh, Live, Ended };

/// A thread's free blocks. No constructor and no destructor: libxml2 frees its own data of a thread after the C++
/// objects of the thread are gone.
struct Cache {
    std::array<Free*, classes> lists;
    std::size_t bytes;
    State state;
};
thread_local constinit Cache cache{};

/// Empties the cache at the thread's end; from then on blocks go straight to the heap.
struct Ending {
    ~Ending() {
        cache.state = State::Ended;
        for (Free*& list : cache.lists)
            while (list) ::free(std::exchange(list, list->next));
        cache.bytes = 0;
    }
    void touch() {}
};
thread_local Ending ending;

bool live() {
    if (cache.state == State::Live) return true;
    if (cache.state == State::Ended) return false;
    cache.state = State::Live;
    ending.touch();  // makes it, and so has its destructor called
    return true;
}

/// The least class whose blocks hold `size` bytes.
std::size_t classFor(std::size_t size) {
    return size <= smallest ? 0 : static_cast<std::size_t>(std::bit_width((size - 1) / smallest));
}

/// The greatest class that a block of `size` usable bytes can serve.
std::size_t classOf(std::size_t size) { return static_cast<std::size_t>(std::bit_width(size / smallest / 2)); }

void* allocate(std::size_t size) {
    if (size > largest || !live()) return ::malloc(std::max(size, smallest));
    const std::size_t index = classFor(size);
    Free*& list = cache.lists[index];
    if (!list) return ::malloc(smallest << index);
    Free* const block = list;
    list = block->next;
    cache.bytes -= smallest << index;
    return block;
}

void release(void* block) {
    if (!block) return;
    const std::size_t size = ::malloc_usable_size(block);
    if (size < smallest || size >= 2 * largest || !live()) return ::free(block);
    const std::size_t index = classOf(size);
    if (cache.bytes + (smallest << index) > keptBytes) return ::free(block);
    auto* const freed = static_cast<Free*>(block);
    freed->next = cache.lists[index];
    cache.lists[index] = freed;
    cache.bytes += smallest << index;
}

void* reallocate(void* block, std::size_t size) {
    if (!block) return allocate(size);
    const std::size_t held = ::malloc_usable_size(block);
    if (size != 0 && size <= held) return block;
    if (size > largest) return ::realloc(block, size);
    void* const larger = allocate(size);
    if (!larger) return nullptr;
    std::memcpy(larger, block, held);
    release(block);
    return larger;
}

char* duplicate(const char* text) {
    const std::size_t size = std::strlen(text) + 1;
    void* const copy = allocate(size);
    if (copy) std::memcpy(copy, text, size);
    return static_cast<char*>(copy);
}
#endif

}  // namespace

void installXmlMemory() {
    static std::once_flag once;
    std::call_once(once, [] {
#if !defined(POSTBUS_PLAIN_MALLOC)
        xmlMemSetup(release, allocate, reallocate, duplicate);
#endif
        xmlInitParser();
    });
}

}  // namespace postbus::xml
