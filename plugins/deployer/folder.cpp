#include "plugins/deployer/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <memory>

#include "plugins/deployer/descriptor.hpp"

namespace postbus::deployer {
namespace {

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

Signature signatureOf(const struct stat& file) {
    Signature signature;
    signature.device = file.st_dev;
    signature.inode = file.st_ino;
    signature.mode = file.st_mode;
    signature.size = file.st_size;
    signature.modified = nanoseconds(file.st_mtim);
    signature.changed = nanoseconds(file.st_ctim);
    return signature;
}

bool endsWith(std::string_view text, std::string_view end) {
    return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

Error unlisted(int reason) {
    const bool missing = reason == ENOENT || reason == ENOTDIR;
    return {missing ? Error::Kind::NotFound : Error::Kind::Unavailable, std::strerror(reason)};
}

// True unless the kernel says that someone has the file open for writing. Only the owner of a file may take a lease on
// it, and not every file system has them: then the quiet period has to do.
bool withoutWriter(int file) {
    // A writer who comes while we hold the lease would raise SIGIO, which ends a process that does not expect it.
    fcntl(file, F_SETSIG, SIGURG);
    if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) {
        fcntl(file, F_SETLEASE, F_UNLCK);
        return true;
    }
    return errno != EAGAIN;
}

std::int64_t wallClock() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now);
}

// How long ago by the file's own time stamps; negative for one from the future.
milliseconds restedFor(const Signature& file) {
    const std::int64_t age = wallClock() - file.lastChange();
    return milliseconds(age < 0 ? -1 : age / 1'000'000);
}

}  // namespace

FileKind kindOf(std::string_view name) {
    if (name.empty() || name[0] == '.' || name.back() == '~') return FileKind::Ignored;
    if (endsWith(name, ".so")) return FileKind::Plugin;
    if (endsWith(name, ".wsdl") || endsWith(name, ".xsd")) return FileKind::Document;
    if (endsWith(name, ".disabled")) return FileKind::Disabled;
    if (endsWith(name, ".failed")) return FileKind::Failed;
    return FileKind::Ignored;
}

std::string_view stemOf(std::string_view name) { return name.substr(0, name.rfind('.')); }

Result<Listing> list(const std::string& folder) {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(folder.c_str()), closedir);
    if (!directory) return unlisted(errno);

    Listing found;
    errno = 0;
    while (const dirent* each = readdir(directory.get())) {
        const std::string name = each->d_name;
        const FileKind kind = kindOf(name);
        struct stat file {};
        struct stat link {};
        if (kind == FileKind::Disabled) {
            found.disabled.emplace(stemOf(name));
        } else if (kind == FileKind::Failed) {
            found.failed.emplace(stemOf(name));
        } else if (kind == FileKind::Ignored) {
            if (name != "." && name != "..") found.ignored.insert(name);
        } else if (fstatat(dirfd(directory.get()), each->d_name, &file, 0) == 0 &&
                   fstatat(dirfd(directory.get()), each->d_name, &link, AT_SYMLINK_NOFOLLOW) == 0) {
            Signature signature = signatureOf(file);
            if (S_ISLNK(link.st_mode)) signature.linkChanged = nanoseconds(link.st_ctim);
            if (S_ISDIR(file.st_mode))
                found.ignored.insert(name);
            else
                (kind == FileKind::Plugin ? found.plugins : found.documents).emplace(name, signature);
        }
        errno = 0;
    }
    if (errno) return unlisted(errno);
    return found;
}

bool settled(const Signature& file, milliseconds quiet, milliseconds seenLike) {
    return seenLike >= quiet || restedFor(file) >= quiet;
}

milliseconds untilSettled(const Signature& file, milliseconds quiet, milliseconds seenLike) {
    const milliseconds rested = std::max(seenLike, restedFor(file));
    return std::max(milliseconds(1), quiet - rested + milliseconds(1));
}

Result<std::string> readSettled(const std::string& path, const Signature& expected, std::size_t maxSize) {
    if (!S_ISREG(expected.mode)) return Error::invalid("is no regular file");
    // O_NONBLOCK: should it have become a pipe since, opening must not wait.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (!file) {
        if (errno == ENOENT || errno == EINTR || errno == EMFILE || errno == ENFILE)
            return Error(Error::Kind::Unavailable, std::string("can't be opened now: ") + std::strerror(errno));
        return Error::invalid(std::string("can't be opened: ") + std::strerror(errno) +
                              "; give the bus's user the right to read it");
    }
    struct stat now {};
    if (fstat(file.get(), &now) != 0 || !S_ISREG(now.st_mode)) return Error(Error::Kind::Unavailable, "changes");
    if (static_cast<std::uint64_t>(now.st_size) > maxSize)
        return Error::invalid("is larger than " + std::to_string(maxSize >> 20) + " MiB");
    if (!withoutWriter(file.get())) return Error(Error::Kind::Unavailable, "someone has it open for writing");

    std::string bytes(static_cast<std::size_t>(now.st_size), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t got = pread(file.get(), bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error::invalid(std::string("can't be read: ") + std::strerror(errno));
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    struct stat after {};
    Signature before = expected;
    before.linkChanged = 0;
    if (have != bytes.size() || fstat(file.get(), &after) != 0 || signatureOf(after) != before)
        return Error(Error::Kind::Unavailable, "changes while it is read");
    return bytes;
}

}  // namespace postbus::deployer
