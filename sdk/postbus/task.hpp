/// Operations as C++20 coroutines: they wait for other services, for time and for workers without holding a thread.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "abi.h"
#include "call.hpp"
#include "cancellation.hpp"
#include "fault.hpp"
#include "invoke.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {

template <class T = void>
class Task;

namespace sdk {

/// What a chain of coroutines is run for. It owns the outermost one.
class Chain {
public:
    /// The outermost coroutine has come to its end.
    virtual void finish() noexcept = 0;
    /// Nobody waits for it any more: the coroutines are destroyed where they wait.
    virtual void abandon() noexcept = 0;

protected:
    ~Chain() = default;
};

// What the innermost proceed() of this thread is to go on with. A plain pointer, see Landing.
inline constinit thread_local std::coroutine_handle<>* following = nullptr;

/// Goes on with a coroutine, and with those that it hands over to, one after the other: the stack does not grow with
/// their number, whatever the compiler makes of symmetric transfer. (GCC needs -O2 for that.)
inline void proceed(std::coroutine_handle<> with) {
    std::coroutine_handle<> next = with;
    std::coroutine_handle<>* const outer = std::exchange(following, &next);
    while (next) std::exchange(next, nullptr).resume();
    following = outer;
}
/// The last that a coroutine does before it suspends.
inline void handOver(std::coroutine_handle<> to) {
    if (following && !*following)
        *following = to;
    else
        proceed(to);
}

class PromiseBase {
public:
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() const noexcept { return Final{}; }
    void unhandled_exception() noexcept { problem_ = std::current_exception(); }

    Chain* chain() const { return chain_; }
    void startFor(Chain& chain) { chain_ = &chain; }
    void startFor(PromiseBase& awaiting, std::coroutine_handle<> continuation) {
        chain_ = awaiting.chain_;
        continuation_ = continuation;
    }
    void rethrow() {
        if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    }

private:
    struct Final {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            PromiseBase& promise = ended.promise();
            if (promise.continuation_) return handOver(promise.continuation_);
            promise.chain_->finish();  // the coroutine is gone
        }
        void await_resume() const noexcept {}
    };

    Chain* chain_ = nullptr;
    std::coroutine_handle<> continuation_;
    std::exception_ptr problem_;
};

template <class T>
class Promise : public PromiseBase {
public:
    Task<T> get_return_object();
    template <class U>
    void return_value(U&& value) {
        value_.emplace(std::forward<U>(value));
    }
    T result() {
        rethrow();
        return std::move(*value_);
    }

private:
    std::optional<T> value_;
};

template <>
class Promise<void> : public PromiseBase {
public:
    Task<void> get_return_object();
    void return_void() const noexcept {}
    void result() { rethrow(); }
};

template <class P>
concept OfOperation = std::derived_from<P, PromiseBase>;

/// co_await task.
template <class T>
struct AwaitTask {
    std::coroutine_handle<Promise<T>> task;

    bool await_ready() const noexcept { return false; }
    template <OfOperation P>
    void await_suspend(std::coroutine_handle<P> awaiting) const {
        task.promise().startFor(awaiting.promise(), awaiting);
        handOver(task);
    }
    T await_resume() const { return task.promise().result(); }
};

template <class T>
struct IsTask : std::false_type {};
template <class T>
struct IsTask<Task<T>> : std::true_type {};

}  // namespace sdk

/// A coroutine of a service: an operation whose handler gives one is answered with what it returns, or with the fault
/// that it throws, when it has come to its end. One may wait for another by co_await. It begins when it is awaited, or
/// when the bus runs it.
///
///     operation("quote", postbus::nonblocking, [this](const Quote& in, const postbus::Request& request)
///                                                  -> postbus::Task<Price> {
///         auto ask = invoke(request, "Stock").with(ns, "find", Find{in.article});
///         const auto stock = co_await ask.async<Found>();
///         if (!stock) throw stock.fault();
///         co_return Price{stock->price};
///     });
///
/// Arguments of a handler live as long as its coroutine. While it waits it has no thread; it goes on on a thread of the
/// bus that must not wait, or after co_await onWorker() on one that may. When the call is cancelled a coroutine that
/// waits for the bus, for an answer or a pause, is destroyed there: its objects are, and nothing after it runs.
template <class T>
class [[nodiscard]] Task {
public:
    using promise_type = sdk::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    explicit Task(Handle handle) : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Task() {
        if (handle_) handle_.destroy();
    }

    auto operator co_await() && noexcept { return sdk::AwaitTask<T>{handle_}; }

    /// For the bus's side: runs it for `chain`, which may be gone when this returns.
    void start(sdk::Chain& chain) const {
        handle_.promise().startFor(chain);
        sdk::proceed(handle_);
    }
    T result() const { return handle_.promise().result(); }

private:
    Handle handle_;
};

namespace sdk {

template <class T>
Task<T> Promise<T>::get_return_object() {
    return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() {
    return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

/// Waits for what Invocation::then() tells; `Look` makes a value of the Reply while that is there.
template <class Look>
class AwaitReply {
public:
    using Value = std::invoke_result_t<Look&, const Reply&>;

    AwaitReply(Invocation&& invocation, Look& look) : invocation_(std::move(invocation)), look_(look) {}

    bool await_ready() const noexcept { return false; }
    template <OfOperation Promise>
    bool await_suspend(std::coroutine_handle<Promise> awaiting) {
        awaiting_ = awaiting;
        chain_ = awaiting.promise().chain();
        std::move(invocation_).then([this](const Reply& reply) { take(reply); });
        // An answer that has come meanwhile leaves it to this thread to go on: no recursion, however many calls.
        if (!come_.exchange(true, std::memory_order_acq_rel)) return true;
        if (!cancelled_) return false;
        chain_->abandon();
        return true;
    }
    Value await_resume() {
        if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
        return std::move(*value_);
    }

private:
    void take(const Reply& reply) noexcept {
        cancelled_ = reply.cancelled();
        try {
            if (!cancelled_) value_.emplace(look_(reply));
        } catch (...) {
            problem_ = std::current_exception();
        }
        const std::coroutine_handle<> awaiting = awaiting_;
        Chain* const chain = cancelled_ ? chain_ : nullptr;
        if (!come_.exchange(true, std::memory_order_acq_rel)) return;  // it is within await_suspend still
        if (chain)
            chain->abandon();
        else
            proceed(awaiting);
    }

    Invocation invocation_;
    Look& look_;
    std::optional<Value> value_;
    std::exception_ptr problem_;
    std::coroutine_handle<> awaiting_;
    Chain* chain_ = nullptr;
    bool cancelled_ = false;
    std::atomic<bool> come_{false};
};

template <class T>
struct ReadAs {
    Outcome<T> operator()(const Reply& reply) const { return reply.read<T>(); }
};
template <class T>
inline constexpr ReadAs<T> readAs{};

inline const postbus_resume* resumeTable(const postbus_host* host, postbus_service_context* context) {
    return static_cast<const postbus_resume*>(host->extension(context, borrow(POSTBUS_RESUME)));
}

/// co_await pause(request, time).
class AwaitPause {
public:
    AwaitPause(const postbus_host* host, postbus_service_context* context, const postbus_call* call,
               std::chrono::nanoseconds time)
        : host_(host), context_(context), call_(call), time_(time) {}

    bool await_ready() const noexcept { return false; }
    template <OfOperation Promise>
    bool await_suspend(std::coroutine_handle<Promise> awaiting) {
        awaiting_ = awaiting;
        chain_ = awaiting.promise().chain();
        const postbus_resume* const table = resumeTable(host_, context_);
        if (!table) return refuse("this bus has no pauses");
        failed_ = nullptr;
        // From its success on this object belongs to the thread that goes on.
        if (table->after(context_, call_, time_.count(), over, this) == 0) return true;
        return refuse("not enough memory for a pause");
    }
    void await_resume() const {
        if (failed_) throw Fault::receiver(failed_);
    }

private:
    bool refuse(const char* why) {
        failed_ = why;
        return false;
    }
    static void over(void* context, int cancelled) {
        AwaitPause& self = *static_cast<AwaitPause*>(context);
        if (cancelled)
            self.chain_->abandon();
        else
            proceed(self.awaiting_);
    }

    const postbus_host* host_;
    postbus_service_context* context_;
    const postbus_call* call_;
    std::chrono::nanoseconds time_;
    const char* failed_ = nullptr;
    std::coroutine_handle<> awaiting_;
    Chain* chain_ = nullptr;
};

/// co_await onWorker().
class AwaitWorker {
public:
    AwaitWorker(const postbus_host* host, postbus_service_context* context) : host_(host), context_(context) {}

    bool await_ready() const noexcept { return false; }
    template <OfOperation Promise>
    bool await_suspend(std::coroutine_handle<Promise> awaiting) {
        awaiting_ = awaiting;
        const postbus_resume* const table = resumeTable(host_, context_);
        return table && table->on_worker(context_, go, this) == 0;
    }
    void await_resume() const {
        if (!there_) throw Fault::receiver("all workers are busy");
    }

private:
    static void go(void* context) {
        AwaitWorker& self = *static_cast<AwaitWorker*>(context);
        self.there_ = true;
        proceed(self.awaiting_);
    }

    const postbus_host* host_;
    postbus_service_context* context_;
    bool there_ = false;
    std::coroutine_handle<> awaiting_;
};

}  // namespace sdk

template <HasFields T>
auto Invocation::async() & {
    return sdk::AwaitReply<const sdk::ReadAs<T>>(std::move(*this), sdk::readAs<T>);
}
template <class F>
auto Invocation::async(F& look) & {
    return sdk::AwaitReply<F>(std::move(*this), look);
}

}  // namespace POSTBUS_SDK_VISIBILITY
