/// Learning that nobody waits for a call any more, without asking again and again.
#pragma once

#include <cstddef>
#include <utility>
#include <version>
#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

#include "abi.h"
#include "call.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

struct RequestAccess {
    static const postbus_call* call(const Request& request) { return request.call_; }
    static const CallHome& home(const Request& request) { return *request.home_; }
};

/// The table, as far as this bus has the functions that came later.
inline const postbus_call_state* watchable(const CallHome& home) {
    const auto* const table =
        static_cast<const postbus_call_state*>(home.host->extension(nullptr, borrow(POSTBUS_CALL_STATE)));
    constexpr std::size_t needed = offsetof(postbus_call_state, unwatch) + sizeof(void*);
    return table && table->size >= needed ? table : nullptr;
}

}  // namespace sdk

/// Calls a function when a call is cancelled: its deadline has passed, or its caller is gone. Once at most; at once, in
/// the constructor, when it is cancelled already.
///
///     const postbus::OnCancel stop(request, [&] { query.abort(); });
///
/// The function runs on a thread of the bus that must not wait, and must not throw. When the destructor returns it has
/// run or never will (it may be destroyed from within). End it before the call is completed, or leave it: a completed
/// call is never cancelled.
template <class F>
class OnCancel {
public:
    OnCancel(const Request& request, F function)
        : table_(sdk::watchable(sdk::RequestAccess::home(request))), function_(std::move(function)) {
        watch_.watch.size = sizeof(postbus_watch);
        watch_.watch.cancelled = &OnCancel::told;
        watch_.self = this;
        if (!table_) return;
        const postbus_call* const call = sdk::RequestAccess::call(request);
        if (table_->watch(call, &watch_.watch) == 0 && table_->cancelled(call) != 0) function_();
    }
    OnCancel(const OnCancel&) = delete;
    OnCancel& operator=(const OnCancel&) = delete;
    ~OnCancel() {
        if (table_) table_->unwatch(&watch_.watch);
    }

private:
    // Of standard layout, so that the way from its first member to it is one the language knows.
    struct Watch {
        postbus_watch watch{};
        OnCancel* self = nullptr;
    };
    static void told(postbus_watch* watch) { reinterpret_cast<Watch*>(watch)->self->function_(); }

    const postbus_call_state* table_;
    F function_;
    Watch watch_;
};

#ifdef __cpp_lib_jthread  // the standard library has stop tokens; LLVM's has none before version 18
/// The same as a std::stop_token, for what takes one: std::condition_variable_any, a thread of one's own, a loop.
///
///     const postbus::StopOnCancel stop(request);
///     while (!stop.token().stop_requested()) ...
class StopOnCancel {
public:
    explicit StopOnCancel(const Request& request) : watch_(request, Stop{&source_}) {}
    std::stop_token token() const { return source_.get_token(); }

private:
    struct Stop {
        std::stop_source* source;
        void operator()() const { source->request_stop(); }
    };
    std::stop_source source_;
    OnCancel<Stop> watch_;
};
#endif

}  // namespace POSTBUS_SDK_VISIBILITY
