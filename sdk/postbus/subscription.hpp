/// Handlers of messages.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "abi.h"
#include "abi_queues.h"
#include "fault.hpp"
#include "message.hpp"
#include "task.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

/// A subscription to a queue or topic: it lasts until it is closed, or the service leaves.
///
/// Handlers run on many threads at once if concurrency says so, and are called as const. They are functions of
///
/// - `const Delivery&` or `Delivery&`: the message is acknowledged when the function returns, unless it has settled it
///   itself. They give void, an Outcome<void>, or a Task<> (then it is when the coroutine has come to its end);
/// - `Delivery`: it is the function's, to settle when and where it likes; it gives void.
///
/// What is thrown, or a Fault in the Outcome: a Sender fault sets the message aside (no attempt would do), anything
/// else is a failed attempt, after which it comes again as the queue says.
class Subscription {
public:
    Subscription() = default;
    Subscription(const postbus_queues* table, postbus_subscription* made) : table_(table), made_(made) {}

    /// Takes no more; handlers that run end as ever. Any thread, handlers too.
    void close() {
        if (postbus_subscription* const made = std::exchange(made_, nullptr)) table_->unsubscribe(made);
    }

private:
    const postbus_queues* table_ = nullptr;
    postbus_subscription* made_ = nullptr;
};

namespace sdk {

inline void settleAfter(Delivery& delivery, const Fault& fault) {
    if (fault.code == Fault::Code::Sender)
        delivery.setAside(fault.reason);
    else
        delivery.reject(fault.reason);
}
/// With what is being thrown. Within a catch clause only.
inline void settleWithCurrentException(Delivery& delivery) noexcept {
    try {
        throw;
    } catch (const Fault& fault) {
        settleAfter(delivery, fault);
    } catch (const std::exception& error) {
        delivery.reject(error.what());
    } catch (...) {
        delivery.reject("the service threw something that is no std::exception");
    }
}
inline void settleAfter(Delivery& delivery, const Outcome<void>& outcome) {
    if (outcome)
        delivery.acknowledge();
    else
        settleAfter(delivery, outcome.fault());
}

/// A coroutine that works on a message, until its end.
template <class R>
class MessageRunning final : public Chain {
public:
    explicit MessageRunning(Delivery its) : delivery(std::move(its)) {}

    /// Takes care of itself from here on.
    void start(Task<R> task) {
        task_.emplace(std::move(task));
        task_->start(*this);
    }
    void finish() noexcept override {
        const std::unique_ptr<MessageRunning> self(this);
        try {
            if constexpr (std::is_void_v<R>) {
                task_->result();
                task_.reset();
                delivery.acknowledge();
            } else {
                const R given = task_->result();
                task_.reset();
                settleAfter(delivery, given);
            }
        } catch (...) {
            task_.reset();
            settleWithCurrentException(delivery);
        }
    }
    void abandon() noexcept override {
        const std::unique_ptr<MessageRunning> self(this);
        task_.reset();
        delivery.reject("what it waited for was cancelled");
    }

    Delivery delivery;

private:
    std::optional<Task<R>> task_;
};

template <class R>
struct TaskResult;
template <class T>
struct TaskResult<Task<T>> {
    using Type = T;
};

/// What the bus calls for each message. Its own until the bus has said that it is closed.
template <class F>
class Taker {
    static constexpr bool borrows = std::is_invocable_v<const F&, Delivery&>;
    static_assert(borrows || std::is_invocable_v<const F&, Delivery>,
                  "a handler of messages takes a postbus::Delivery, or a reference to one, and is not mutable");

public:
    Taker(const postbus_queues* table, F function) : table_(table), function_(std::move(function)) {}

    static void take(void* context, postbus_delivery* lent) {
        const auto& self = *static_cast<const Taker*>(context);
        Delivery delivery(self.table_, lent);
        if constexpr (borrows)
            self.lend(std::move(delivery));
        else
            self.give(std::move(delivery));
    }
    static void closed(void* context) { delete static_cast<Taker*>(context); }

private:
    void lend(Delivery delivery) const {
        using Returns = std::invoke_result_t<const F&, Delivery&>;
        if constexpr (IsTask<Returns>::value) {
            run<typename TaskResult<Returns>::Type>(std::move(delivery));
        } else {
            try {
                if constexpr (std::is_void_v<Returns>) {
                    function_(delivery);
                    delivery.acknowledge();
                } else {
                    const Outcome<void> outcome = function_(delivery);
                    settleAfter(delivery, outcome);
                }
            } catch (...) {
                settleWithCurrentException(delivery);
            }
        }
    }
    template <class R>
    void run(Delivery delivery) const {
        std::unique_ptr<MessageRunning<R>> running;
        try {
            running = std::make_unique<MessageRunning<R>>(std::move(delivery));
            Task<R> task = function_(running->delivery);
            running.release()->start(std::move(task));
        } catch (...) {
            settleWithCurrentException(running ? running->delivery : delivery);
        }
    }
    void give(Delivery delivery) const {
        static_assert(std::is_void_v<std::invoke_result_t<const F&, Delivery>>,
                      "a handler that is given its message settles it, and gives nothing");
        try {
            function_(std::move(delivery));
        } catch (...) {  // the Delivery has seen to itself
        }
    }

    const postbus_queues* table_;
    const F function_;
};

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
