#include "base/log/sink.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <mutex>

namespace postbus::log {
namespace {

/// Of all sinks, since two may lead into one pipe: room that was seen must be there when it is used.
std::mutex writing;

bool hasRoom(int descriptor) {
    pollfd room{descriptor, POLLOUT, 0};
    return poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0;
}

void writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // a log that can't be written stops nobody
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// As many whole lines as a pipe with any room takes at once, or the beginning of one that is longer.
std::string_view piece(std::string_view lines) {
    if (lines.size() <= PIPE_BUF) return lines;
    const std::size_t end = lines.rfind('\n', PIPE_BUF - 1);
    return lines.substr(0, end == std::string_view::npos ? PIPE_BUF : end + 1);
}

}  // namespace

void Sink::use(int descriptor) {
    struct stat kind {};
    const bool known = fstat(descriptor, &kind) == 0;
    mayWait_ = !known || S_ISFIFO(kind.st_mode) || S_ISSOCK(kind.st_mode) || isatty(descriptor) == 1;
    descriptor_ = descriptor;
}

void Sink::write(std::string_view lines) {
    const int descriptor = descriptor_.load(std::memory_order_relaxed);
    if (!mayWait_.load(std::memory_order_relaxed)) return writeAll(descriptor, lines);
    const std::lock_guard lock(writing);
    writeWithoutWaiting(descriptor, lines);
}

void Sink::writeWithoutWaiting(int descriptor, std::string_view lines) {
    bool within = false;  // a line has begun
    while (!lines.empty() && hasRoom(descriptor)) {
        if (cut_.exchange(false)) {
            writeAll(descriptor, "\n");
            continue;
        }
        const std::string_view now = piece(lines);
        writeAll(descriptor, now);
        within = now.back() != '\n';
        lines.remove_prefix(now.size());
    }
    if (lines.empty()) return;
    cut_ = within || cut_;
    dropped_ += static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

std::uint64_t Sink::takeDropped() {
    if (dropped_.load(std::memory_order_relaxed) == 0) return 0;
    const std::lock_guard lock(writing);
    return hasRoom(descriptor_) ? dropped_.exchange(0) : 0;
}

}  // namespace postbus::log
