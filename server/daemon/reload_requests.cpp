#include "server/daemon/reload_requests.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace postbus::server {
namespace {

admin::ReloadReport refusal() { return {false, false, {"the daemon is stopping"}, {}}; }

}  // namespace

ReloadRequests::ReloadRequests() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::runtime_error(std::string("eventfd: ") + std::strerror(errno));
}

ReloadRequests::~ReloadRequests() { ::close(descriptor_); }

admin::ReloadReport ReloadRequests::ask() {
    std::future<admin::ReloadReport> outcome;
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return refusal();
        outcome = waiting_.emplace_back().get_future();
        // Within the lock, as in take(): readable is whoever waits, and nobody else.
        eventfd_write(descriptor_, 1);
    }
    return outcome.get();
}

ReloadRequests::Waiting ReloadRequests::take() {
    const std::lock_guard lock(mutex_);
    eventfd_t count = 0;
    eventfd_read(descriptor_, &count);
    return std::exchange(waiting_, {});
}

void ReloadRequests::answer(Waiting waiting, const admin::ReloadReport& report) {
    for (auto& each : waiting) each.set_value(report);
}

void ReloadRequests::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    answer(take(), refusal());
}

}  // namespace postbus::server
