#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/exchange/exchange.hpp"
#include "queues/engine/engine.hpp"

namespace postbus::admin {

/// Takes messages off a queue for one caller, one by one: what is not asked for is not touched.
///
/// What was taken and is not acknowledged goes back with the end of this, marked as redelivered; no attempt is counted,
/// since nobody has worked on it. next() is for one thread at a time, the rest for any.
class Taker {
public:
    static Result<std::shared_ptr<Taker>> open(queues::Engine& engine, std::string_view queue,
                                               std::string_view selector);
    ~Taker();
    Taker(const Taker&) = delete;
    Taker& operator=(const Taker&) = delete;

    /// Waits for one; none: it has not come until then, or `caller`, which is held, is waited for by nobody any more.
    std::optional<queues::Delivery> next(TimePoint until, core::Exchange& caller);
    /// It is as if it had not been taken, but for the mark.
    void giveBack(const queues::Delivery& delivery);
    /// This one and all before.
    void acknowledge(queues::Tag last, queues::Done done);

private:
    struct Inbox;
    Taker();

    std::shared_ptr<Inbox> inbox_;  // outlives this: a delivery may still be on its way
    std::unique_ptr<queues::Session> session_;
    queues::ConsumerId consumer_ = 0;
};

}  // namespace postbus::admin
