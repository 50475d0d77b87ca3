#pragma once

#include <functional>
#include <future>
#include <memory>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace postbus::admin {

/// Starts something that calls back once, from any thread, and waits for it: half a minute, then Timeout; what was
/// begun may still happen.
template <class Outcome, class Start>
Outcome waited(Start&& start) {
    const auto promise = std::make_shared<std::promise<Outcome>>();
    std::future<Outcome> outcome = promise->get_future();
    start([promise](Outcome done) { promise->set_value(std::move(done)); });
    if (outcome.wait_for(std::chrono::seconds(30)) == std::future_status::ready) return outcome.get();
    return Error(Error::Kind::Timeout, "it has not come to an end in time, and may do so later");
}

}  // namespace postbus::admin
