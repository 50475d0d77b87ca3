#pragma once

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>

namespace postbus::http {

/// recv(2) and send(2), without waiting and without SIGPIPE.
///
/// Past the C library, for which both are points where a thread may be cancelled: with more than one thread each call
/// pays two atomic exchanges for that, and none of ours is ever cancelled. The sanitizers watch the library's calls.
inline ssize_t receiveNow(int descriptor, char* to, std::size_t size) {
#if defined(__x86_64__) && !defined(POSTBUS_ASAN) && !defined(POSTBUS_TSAN)
    return syscall(SYS_recvfrom, descriptor, to, size, MSG_DONTWAIT, nullptr, nullptr);
#else
    return ::recv(descriptor, to, size, MSG_DONTWAIT);
#endif
}

/// `more`: more follows at once, and may leave in the same packet.
inline ssize_t sendNow(int descriptor, const char* from, std::size_t size, bool more = false) {
    const int flags = MSG_DONTWAIT | MSG_NOSIGNAL | (more ? MSG_MORE : 0);
#if defined(__x86_64__) && !defined(POSTBUS_ASAN) && !defined(POSTBUS_TSAN)
    return syscall(SYS_sendto, descriptor, from, size, flags, nullptr, 0);
#else
    return ::send(descriptor, from, size, flags);
#endif
}

}  // namespace postbus::http
