#include "server/daemon/memory.hpp"

#include <malloc.h>

namespace postbus::server {

void returnLargeMemory() {
    constexpr int large = 1 << 20;
    mallopt(M_MMAP_THRESHOLD, large);  // a threshold that is set does not move any more
}

}  // namespace postbus::server
