#include "server/daemon/signals.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>

namespace postbus::server {

Signals::Signals() {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (const int each : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&wanted, each);
    pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
    // nohup and shells leave these ignored, and what is ignored never reaches a signalfd.
    for (const int each : {SIGTERM, SIGINT, SIGHUP}) std::signal(each, SIG_DFL);
    std::signal(SIGPIPE, SIG_IGN);
    descriptor_ = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor_ < 0) throw std::runtime_error(std::string("signalfd: ") + std::strerror(errno));
}

Signals::~Signals() { close(descriptor_); }

std::optional<int> Signals::next() {
    signalfd_siginfo info{};
    if (read(descriptor_, &info, sizeof info) != sizeof info) return std::nullopt;
    return static_cast<int>(info.ssi_signo);
}

void openStandardDescriptors() {
    for (;;) {
        const int descriptor = open("/dev/null", O_RDWR);
        if (descriptor < 0) return;
        if (descriptor <= STDERR_FILENO) continue;  // it filled a gap
        close(descriptor);
        return;
    }
}

}  // namespace postbus::server
