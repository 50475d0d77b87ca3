#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "plugins/deployer/descriptor.hpp"

namespace postbus::deployer {

class Generation;

/// Where generations end up when their last holder lets go: an exchange on some loop, a route table, a copy of an
/// ActiveService. The deployer's thread takes them from here to stop and unload them. Thread-safe.
class Reaper {
public:
    Reaper();
    ~Reaper();
    Reaper(const Reaper&) = delete;
    Reaper& operator=(const Reaper&) = delete;

    /// Readable when there is something to take or wake() was called.
    int descriptor() const { return event_.get(); }
    void wake() noexcept;
    void clearWake() noexcept;

    /// From any thread; waits for nothing.
    void put(Generation* generation) noexcept;
    /// All that came since, linked by Generation::next; null when there is none.
    Generation* takeAll() noexcept;

private:
    Descriptor event_;
    std::mutex mutex_;
    Generation* first_ = nullptr;
};

/// The pointer whose last copy hands the generation to `reaper`.
std::shared_ptr<Generation> share(std::unique_ptr<Generation> generation, std::shared_ptr<Reaper> reaper);

}  // namespace postbus::deployer
