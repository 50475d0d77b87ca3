/// Makes system calls of the process it is preloaded into fail, as the file that $POSTBUS_FAULTS names says: words of
/// the form CALL=ERROR, read anew before each call (CALL: write, sync; ERROR: EIO, ENOSPC, EINTR, short, skip). Only
/// calls on files below $POSTBUS_FAULTS_FOLDER are touched. With CALL=ERROR@N only the N-th such call from now fails.
///
/// With $POSTBUS_DURABLE, a folder, each file is copied there whenever it has been flushed: what a loss of power would
/// leave, where nothing reaches the disk but by a flush. "sync=skip" then shows that a test of it can fail.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::atomic<long> writes{0}, syncs{0};

bool ours(int file) {
    const char* folder = std::getenv("POSTBUS_FAULTS_FOLDER");
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (!folder || length <= 0) return false;
    path[length] = '\0';
    return std::strncmp(path, folder, std::strlen(folder)) == 0;
}

/// What shall happen to this call; empty: nothing.
std::string fault(const char* call, int file, std::atomic<long>& count) {
    const char* plan = std::getenv("POSTBUS_FAULTS");
    if (!plan || !ours(file)) return {};
    char text[256] = {};
    const int from = open(plan, O_RDONLY | O_CLOEXEC);
    if (from < 0) return {};
    const ssize_t got = read(from, text, sizeof text - 1);
    close(from);
    const std::string word = std::string(call) + "=";
    const std::string all(text, got > 0 ? static_cast<std::size_t>(got) : 0);
    const std::size_t at = all.find(word);
    if (at == std::string::npos) {
        count = 0;
        return {};
    }
    std::string what = all.substr(at + word.size(), all.find_first_of(" \n", at) - at - word.size());
    const std::size_t nth = what.find('@');
    if (nth == std::string::npos) return what;
    return ++count == std::atol(what.c_str() + nth + 1) ? what.substr(0, nth) : std::string();
}

int code(const std::string& what) {
    if (what == "ENOSPC") return ENOSPC;
    if (what == "EINTR") return EINTR;
    return EIO;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Puts a copy of the file, as it is now, in place of the last one.
void keep(int file) {
    static std::atomic<unsigned> number{0};
    const char* folder = std::getenv("POSTBUS_DURABLE");
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = folder && ours(file) ? readlink(link, path, sizeof path - 1) : -1;
    if (length <= 0) return;
    path[length] = '\0';
    const std::string name = std::string(folder) + std::strrchr(path, '/');
    const std::string fresh = name + "." + std::to_string(++number);
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    const int to = open(fresh.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    while (copy_file_range(from, nullptr, to, nullptr, 1 << 20, 0) > 0) {
    }
    close(from);
    close(to);
    std::rename(fresh.c_str(), name.c_str());
}

int flush(const char* name, int file) {
    static auto* const call = real<int(int)>(name);
    const std::string what = fault("sync", file, syncs);
    if (what.empty()) {
        const int result = call(file);
        if (result == 0) keep(file);
        return result;
    }
    if (what == "skip") return 0;
    errno = code(what);
    return -1;
}

template <class Offset>
ssize_t put(const char* name, int file, const void* bytes, size_t size, Offset offset) {
    auto* const call = real<ssize_t(int, const void*, size_t, Offset)>(name);
    const std::string what = fault("write", file, writes);
    if (what.empty()) return call(file, bytes, size, offset);
    if (what == "short") return call(file, bytes, size / 2, offset);
    errno = code(what);
    return -1;
}

}  // namespace

extern "C" {

int fdatasync(int file) { return flush("fdatasync", file); }
int fsync(int file) { return flush("fsync", file); }
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    return put("pwrite", file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
    return put("pwrite64", file, bytes, size, offset);
}
int posix_fallocate(int file, off_t offset, off_t length) {
    const std::string what = fault("write", file, writes);
    if (what == "ENOSPC") return ENOSPC;
    return real<int(int, off_t, off_t)>("posix_fallocate")(file, offset, length);
}
}
