#include "queues/store/sqlite/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace postbus::queues::sqlite {
namespace {

Error failed(const std::string& what, int error) {
    return Error::internal(what + ": " + std::generic_category().message(error));
}

Result<void> flushFolder(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return failed("can't open " + folder, errno);
    const bool flushed = ::fsync(file) == 0;
    const int error = errno;
    ::close(file);
    if (!flushed) return failed("can't flush " + folder, error);
    return ok();
}

std::string parentOf(const std::string& folder) {
    const std::size_t slash = folder.find_last_of('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : folder.substr(0, slash);
}

}  // namespace

FolderLock::~FolderLock() {
    if (file_ >= 0) ::close(file_);
}

Result<FolderLock> FolderLock::take(const std::string& folder) {
    if (::mkdir(folder.c_str(), 0700) == 0) {
        if (auto flushed = flushFolder(parentOf(folder)); !flushed) return std::move(flushed).error();
    } else if (errno != EEXIST) {
        return failed("can't make the folder " + folder + " for queues", errno);
    }
    const std::string name = folder + "/lock";
    FolderLock lock(::open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
    if (lock.file_ < 0) return failed("can't make " + name, errno);
    if (::flock(lock.file_, LOCK_EX | LOCK_NB) != 0)
        return Error::internal("the queues in " + folder + " are in use by another process");
    return lock;
}

}  // namespace postbus::queues::sqlite
