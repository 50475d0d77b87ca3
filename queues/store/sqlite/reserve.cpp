#include "queues/store/sqlite/reserve.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace postbus::queues::sqlite {
namespace {

constexpr std::uint64_t kLeast = 1 << 20;  ///< without a reserve: what counts as room

}  // namespace

bool Reserve::acquire() {
    if (bytes_ == 0) {
        struct statvfs disk {};
        const std::string folder = file_.substr(0, file_.find_last_of('/'));
        return statvfs(folder.c_str(), &disk) != 0 || disk.f_bavail * disk.f_frsize > kLeast;
    }
    const int file = ::open(file_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const bool taken = posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0;
    ::close(file);
    if (!taken) release();
    return taken;
}

void Reserve::release() { ::unlink(file_.c_str()); }

}  // namespace postbus::queues::sqlite
