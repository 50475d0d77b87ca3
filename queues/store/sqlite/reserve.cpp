#include "queues/store/sqlite/reserve.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace postbus::queues::sqlite {

bool Reserve::acquire() {
    const int file = ::open(file_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const bool taken = posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0;
    ::close(file);
    if (!taken) release();
    return taken;
}

void Reserve::release() { ::unlink(file_.c_str()); }

}  // namespace postbus::queues::sqlite
