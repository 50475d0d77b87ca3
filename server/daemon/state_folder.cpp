#include "server/daemon/state_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace postbus::server {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

/// As mkdir -p. Mode 0750: the group may look, others may not.
void makeAll(const std::string& path) {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string part = path.substr(0, end);
        if (mkdir(part.c_str(), 0750) != 0 && errno != EEXIST) fail("cannot make the folder " + part);
        if (end == std::string::npos) break;
    }
    struct stat attributes {};
    if (stat(path.c_str(), &attributes) != 0) fail("cannot use the folder " + path);
    if (!S_ISDIR(attributes.st_mode)) throw std::runtime_error(path + " is not a folder");
}

/// The pid that the owner wrote. It may have locked and not yet written: a few looks.
std::string ownerOf(int lock) {
    for (int look = 0; look < 20; ++look) {
        char text[32];
        const ssize_t length = pread(lock, text, sizeof text, 0);
        std::string_view pid(text, length > 0 ? static_cast<std::size_t>(length) : 0);
        while (!pid.empty() && pid.back() == '\n') pid.remove_suffix(1);
        if (!pid.empty()) return std::string(pid);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "unknown";
}

}  // namespace

std::string StateFolder::defaultPath() {
    const char* given = std::getenv("STATE_DIRECTORY");
    // systemd separates several with colons: the first is ours.
    std::string path = given ? std::string(given, std::strcspn(given, ":")) : std::string();
    if (path.empty()) path = "postbus-state";
    if (path.front() == '/') return path;
    char* here = getcwd(nullptr, 0);
    if (!here) fail("cannot tell the current folder");
    path.insert(0, std::string(here) + '/');
    std::free(here);
    return path;
}

StateFolder::StateFolder(std::string path) : path_(std::move(path)) {
    makeAll(path_);
    const std::string file = path_ + "/postbusd.lock";
    lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (lock_ < 0) fail("cannot open " + file);
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        const bool taken = errno == EWOULDBLOCK;
        const std::string owner = taken ? ownerOf(lock_) : std::string();
        close(lock_);
        if (!taken) fail("cannot lock " + file);
        throw std::runtime_error("another postbusd (pid " + owner + ") uses the state folder " + path_ +
                                 "; stop it, or give this one a folder of its own with STATE_DIRECTORY");
    }
    const std::string pid = std::to_string(getpid()) + '\n';
    if (ftruncate(lock_, 0) != 0 || pwrite(lock_, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
        const int reason = errno;
        close(lock_);
        errno = reason;
        fail("cannot write " + file);
    }
}

// The file stays: removing it would let a third daemon lock a new one while a second waits for the old.
StateFolder::~StateFolder() { close(lock_); }

std::string StateFolder::inside(const std::string& name) const {
    return !name.empty() && name.front() == '/' ? name : path_ + '/' + name;
}

std::string StateFolder::makeFolder(const std::string& name) const {
    std::string folder = inside(name);
    makeAll(folder);
    return folder;
}

}  // namespace postbus::server
