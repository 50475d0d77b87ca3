/// Operations that are given the Call itself: the message as it came, and the answer in the handler's own hands.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "call.hpp"
#include "operation.hpp"
#include "task.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// A coroutine that was given the Call itself, until its end.
class RawRunning final : public Chain {
public:
    RawRunning(const CallHome& home, postbus_call* call) : home_(home), call_(call) {}

    /// Takes care of itself from here on.
    void start(Task<void> task) {
        task_.emplace(std::move(task));
        task_->start(*this);
    }
    void finish() noexcept override {
        const std::unique_ptr<RawRunning> self(this);
        Landing mine{call_, -1};
        Landing* const outer = std::exchange(landing, &mine);
        try {
            try {
                task_->result();
            } catch (...) {
                task_.reset();  // and the Call with it, if it is there still
                if (std::exchange(mine.dropped, false)) failWithCurrentException(home_, call_);
            }
            task_.reset();
            if (mine.dropped) failDropped(home_, call_);
        } catch (...) {
        }
        landing = outer;
    }
    void abandon() noexcept override {
        const std::unique_ptr<RawRunning> self(this);
        task_.reset();
    }

private:
    const CallHome& home_;
    postbus_call* const call_;
    std::optional<Task<void>> task_;
};

/// A function of the Call itself.
template <class F>
class RawOperation final : public Operation {
public:
    static_assert(std::is_invocable_v<const F&, Call>, "a raw operation takes a postbus::Call");

    explicit RawOperation(F function) : function_(std::move(function)) {}

    void run(postbus_call* call) const override {
        Landing mine{call, std::uncaught_exceptions()};
        Landing* const outer = std::exchange(landing, &mine);
        try {
            if constexpr (IsTask<std::invoke_result_t<const F&, Call>>::value)
                begin(call);
            else
                function_(Call(call, &home));
            if (mine.dropped) failDropped(home, call);  // by an exception that the handler caught itself
        } catch (...) {
            // Unless the call was answered or handed on before: then there is nobody left to tell.
            if (mine.dropped) failWithCurrentException(home, call);
        }
        landing = outer;
    }

private:
    void begin(postbus_call* call) const {
        auto running = std::make_unique<RawRunning>(home, call);
        Task<void> task = function_(Call(call, &home));
        running.release()->start(std::move(task));
    }

    F function_;
};

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
