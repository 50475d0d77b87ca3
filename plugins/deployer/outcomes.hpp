#pragma once

#include <postbus/abi.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "core/exchange/exchange_pool.hpp"
#include "plugins/deployer/service.hpp"
#include "transports/inproc/invocation.hpp"

namespace postbus::deployer {

/// An outcome as plugins are told of it; lends what it holds.
postbus_outcome describe(const inproc::Outcome& outcome);
/// A Receiver fault that a plugin is told of where there is no outcome. `reason` must be there for as long as it is.
postbus_outcome failureOf(std::string_view reason);

/// What a plugin has told the bus to call.
struct Continuation {
    void (*function)(void* context, const postbus_outcome* outcome) = nullptr;
    void* context = nullptr;
};
/// Calls it, on the loop of `pool` if there is one: seen there by the watchdog as `what` of the service's. What it
/// throws, against the rules, ends here and is logged.
void tell(const Service& service, std::string_view what, core::ExchangePool* pool, const Continuation& then,
          const inproc::Outcome& outcome);

/// An outcome that lasts, for a thread of a plugin's that waits for it: what it lends is in here.
class AwaitedOutcome {
public:
    /// At once, for one that may not wait. `reason` must be there for as long as this.
    void fail(std::string_view reason) { outcome_ = failureOf(reason); }
    /// From any thread, once; after it `this` may be gone.
    void keep(const inproc::Outcome& outcome);
    const postbus_outcome* wait();
    const postbus_outcome* get() const { return &outcome_; }
    /// Until whoever keeps has left keep().
    void settle() { const std::lock_guard lock(mutex_); }

private:
    std::mutex mutex_;
    std::condition_variable kept_;
    bool over_ = false;
    xml::Tape tape_;
    std::string bytes_, contentType_;
    core::Fault fault_;
    postbus_outcome outcome_{};
};

}  // namespace postbus::deployer
