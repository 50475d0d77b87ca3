/// Counts a process's heap allocations, for LD_PRELOAD.
///
/// The counters lie in the file that $POSTBUS_ALLOCATIONS names, laid out as Counters below, and can be read by others
/// at any time. A watcher sets `watching` to 1; from then on allocations are counted, and the first few write their
/// stack to standard error, so that a test that finds one can say where it was made. A
/// thread of the name in $POSTBUS_ALLOCATIONS_EXCEPT is left out.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// glibc's own names for its allocator: to find it by dlsym() would allocate.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {

struct Counters {
    std::atomic<std::uint64_t> watching;
    std::atomic<std::uint64_t> allocations;
    std::atomic<std::uint64_t> bytes;
    std::atomic<std::uint64_t> stacks;  ///< stacks that may still be written
};

Counters* counters = nullptr;
char except[16] = {};
thread_local bool writingStack = false;

__attribute__((constructor)) void open() {
    const char* path = std::getenv("POSTBUS_ALLOCATIONS");
    if (!path) return;
    if (const char* name = std::getenv("POSTBUS_ALLOCATIONS_EXCEPT")) std::strncpy(except, name, sizeof except - 1);
    const int file = ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void* memory = ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    void* frame = nullptr;
    ::backtrace(&frame, 1);  // loads what it needs now, not in the midst of an allocation
    // Only the process itself, not what it starts.
    ::unsetenv("LD_PRELOAD");
    if (memory != MAP_FAILED) counters = static_cast<Counters*>(memory);
}

void writeStack() {
    std::uint64_t left = counters->stacks.load(std::memory_order_relaxed);
    while (left > 0 && !counters->stacks.compare_exchange_weak(left, left - 1)) {
    }
    if (left == 0) return;
    writingStack = true;
    void* frames[24];
    const int depth = ::backtrace(frames, 24);
    static constexpr char head[] = "allocation:\n";
    if (::write(STDERR_FILENO, head, sizeof head - 1) > 0) ::backtrace_symbols_fd(frames, depth, STDERR_FILENO);
    writingStack = false;
}

void count(std::size_t size) {
    if (!counters || counters->watching.load(std::memory_order_relaxed) == 0 || writingStack) return;
    const int before = errno;
    char thread[16] = {};
    ::prctl(PR_GET_NAME, thread);
    if (except[0] && std::strcmp(thread, except) == 0) return;
    counters->allocations.fetch_add(1, std::memory_order_relaxed);
    counters->bytes.fetch_add(size, std::memory_order_relaxed);
    writeStack();
    errno = before;
}

}  // namespace

extern "C" {

// operator new comes by malloc, too.
void* malloc(std::size_t size) {
    count(size);
    return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void* realloc(void* memory, std::size_t size) {
    count(size);
    return __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

}  // extern "C"
