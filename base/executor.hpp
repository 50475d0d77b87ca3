#pragma once

#include <functional>
#include <string_view>

#include "base/clock.hpp"

namespace postbus {

class Timer;

/// A loop that runs tasks: the only thing the bus knows of its threads.
class Executor {
public:
    virtual ~Executor() = default;
    /// Runs `task` later on the loop's thread; from any thread. Must not be called after the executor has stopped.
    virtual void post(std::function<void()> task) = 0;
    /// Whether the calling thread is this executor's.
    virtual bool here() const = 0;
    /// For people; may be empty.
    virtual std::string_view name() const { return {}; }

    /// On its own thread: fires `timer` there at `when` or some ticks later (timer_wheel.hpp), instead of when it was
    /// set for before; never, for TimePoint::max().
    virtual void setTimer(Timer& timer, TimePoint when) = 0;
    virtual void cancelTimer(Timer& timer) = 0;
};

}  // namespace postbus
