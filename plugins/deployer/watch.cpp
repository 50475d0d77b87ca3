#include "plugins/deployer/watch.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace postbus::deployer {
namespace {

// No IN_MODIFY: a copy under way raises thousands, and its end is IN_CLOSE_WRITE.
constexpr std::uint32_t interest = IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                   IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

}  // namespace

Watch::Watch(std::string folder) : folder_(std::move(folder)), inotify_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

void Watch::clear() {
    alignas(inotify_event) char events[16 * 1024];
    for (;;) {
        const ssize_t got = read(inotify_.get(), events, sizeof events);
        if (got <= 0) return;
        for (ssize_t at = 0; at < got;) {
            inotify_event event;
            __builtin_memcpy(&event, events + at, sizeof event);
            // The kernel has dropped the watch by itself (folder deleted, file system unmounted).
            if ((event.mask & IN_IGNORED) && event.wd == watch_) watch_ = -1;
            at += static_cast<ssize_t>(sizeof event + event.len);
        }
    }
}

bool Watch::refresh() {
    struct stat status {};
    const bool there = stat(folder_.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
    if (there && watch_ >= 0 && status.st_dev == device_ && status.st_ino == inode_) return true;
    if (watch_ >= 0) inotify_rm_watch(inotify_.get(), std::exchange(watch_, -1));
    if (!there) return false;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    watch_ = inotify_add_watch(inotify_.get(), folder_.c_str(), interest);
    return true;
}

}  // namespace postbus::deployer
