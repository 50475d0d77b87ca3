#include "plugins/deployer/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "plugins/deployer/descriptor.hpp"

namespace postbus::deployer {
namespace {

bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

std::string folderOf(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string besideOf(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    return path.substr(0, name) + '.' + path.substr(name) + ".part";
}

/// Removes the file without touching what errno says of the deed before.
void discard(const std::string& path) {
    const int why = errno;
    unlink(path.c_str());
    errno = why;
}

bool writeNew(const std::string& path, std::string_view bytes, mode_t mode, Flush flush) {
    unlink(path.c_str());
    Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    const bool done = file && writeAll(file.get(), bytes) && (flush == Flush::No || fdatasync(file.get()) == 0);
    if (file && !done) discard(path);
    return done;
}

bool putInPlace(const std::string& from, const std::string& to, Flush flush) {
    if (rename(from.c_str(), to.c_str()) != 0) return false;
    if (flush == Flush::No) return true;
    const Descriptor folder(open(folderOf(to).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return folder && fsync(folder.get()) == 0;
}

}  // namespace

bool writeWhole(const std::string& path, std::string_view bytes, mode_t mode, Flush flush) {
    const std::string beside = besideOf(path);
    if (!writeNew(beside, bytes, mode, flush)) return false;
    if (putInPlace(beside, path, flush)) return true;
    discard(beside);
    return false;
}

std::optional<std::string> readWhole(const std::string& path, std::size_t maxSize) {
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0 || static_cast<std::uint64_t>(status.st_size) > maxSize)
        return std::nullopt;
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    for (std::size_t have = 0; have < bytes.size();) {
        const ssize_t got = read(file.get(), bytes.data() + have, bytes.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        have += static_cast<std::size_t>(got);
    }
    return bytes;
}

HeldFile::HeldFile(const std::string& path, std::string_view bytes, mode_t mode) : path_(path) {
    const std::string beside = besideOf(path);
    if (writeNew(beside, bytes, mode, Flush::Yes)) beside_ = beside;
}

HeldFile::~HeldFile() {
    if (!beside_.empty()) discard(beside_);
}

bool HeldFile::put(Flush flush) {
    if (!putInPlace(beside_, path_, flush)) return false;
    beside_.clear();
    return true;
}

}  // namespace postbus::deployer
