#pragma once

#include <functional>

namespace postbus {

/// A loop or a pool that runs tasks: the only thing the bus knows of its threads.
class Executor {
public:
    virtual ~Executor() = default;
    /// Runs `task` later on a thread of this executor; from any thread. Must not be called after the executor has
    /// stopped.
    virtual void post(std::function<void()> task) = 0;
    /// Whether the calling thread is one of this executor's.
    virtual bool here() const = 0;
};

}  // namespace postbus
