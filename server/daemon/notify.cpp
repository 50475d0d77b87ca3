#include "server/daemon/notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace postbus::server {

Notify::Notify() {
    if (const char* given = std::getenv("NOTIFY_SOCKET")) socket_ = given;
}

void Notify::send(const std::string& state) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_.front() == '@') address.sun_path[0] = '\0';  // an abstract name
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());

    const int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sender < 0) return;
    [[maybe_unused]] const ssize_t sent =
        sendto(sender, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), length);
    close(sender);
}

void Notify::ready(std::string_view status) const {
    send("READY=1\nMAINPID=" + std::to_string(getpid()) + "\nSTATUS=" + std::string(status));
}

void Notify::reloading() const {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long usec = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
    send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(usec));
}

void Notify::stopping() const { send("STOPPING=1"); }

}  // namespace postbus::server
