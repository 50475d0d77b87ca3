#include "plugins/deployer/reaper.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

#include "plugins/deployer/generation.hpp"

namespace postbus::deployer {

Reaper::Reaper() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_) throw std::runtime_error("plugin deployer: no event descriptor left");
}

// What is still in here has outlived its deployer: its code may be on some thread's stack, so it is left as it is.
Reaper::~Reaper() = default;

void Reaper::wake() noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(event_.get(), &one, sizeof one);
}

void Reaper::clearWake() noexcept {
    std::uint64_t count;
    [[maybe_unused]] const ssize_t got = read(event_.get(), &count, sizeof count);
}

void Reaper::put(Generation* generation) noexcept {
    {
        std::lock_guard lock(mutex_);
        generation->next = std::exchange(first_, generation);
    }
    wake();
}

Generation* Reaper::takeAll() noexcept {
    std::lock_guard lock(mutex_);
    return std::exchange(first_, nullptr);
}

std::shared_ptr<Generation> share(std::unique_ptr<Generation> generation, std::shared_ptr<Reaper> reaper) {
    // Should the control block find no memory, the deleter runs, and the reaper has the generation all the same.
    return {generation.release(), [reaper = std::move(reaper)](Generation* last) { reaper->put(last); }};
}

}  // namespace postbus::deployer
