#pragma once

#include <memory>
#include <utility>

#include "core/forward.hpp"

namespace postbus::core {

/// Something that is done on behalf of an exchange, a call to another endpoint or a wait, and has no use any more once
/// nobody waits for that exchange. For the exchange's loop alone.
class Dependent {
public:
    Dependent() = default;
    Dependent(const Dependent&) = delete;
    Dependent& operator=(const Dependent&) = delete;
    virtual ~Dependent() { leave(); }

    /// The deadline of the exchange has passed, or its caller is gone. It has left the exchange already.
    virtual void onCancel() = 0;

    /// Nothing, when it has joined nothing.

    void leave() {
        if (!here_) return;
        *here_ = next_;
        if (next_) next_->here_ = here_;
        next_ = nullptr;
        here_ = nullptr;
    }

private:
    friend class ExchangeTie;
    void join(Dependent*& first) {
        next_ = std::exchange(first, this);
        here_ = &first;
        if (next_) next_->here_ = &next_;
    }

    Dependent* next_ = nullptr;
    Dependent** here_ = nullptr;  // what points to it; null while it has joined nothing
};

/// Keeps the memory of an exchange until something done on its behalf has reached its loop: by then it may have ended.
///
/// Made by whoever holds the exchange, on any thread, and given back on any; the rest is for the loop.
class ExchangeTie {
public:
    ExchangeTie() = default;
    explicit ExchangeTie(Exchange& exchange);
    ExchangeTie(ExchangeTie&& other) noexcept
        : exchange_(std::exchange(other.exchange_, nullptr)), atHome_(other.atHome_) {}
    ExchangeTie& operator=(ExchangeTie&& other) noexcept {
        std::swap(exchange_, other.exchange_);
        std::swap(atHome_, other.atHome_);
        return *this;
    }
    ~ExchangeTie() { release(); }

    explicit operator bool() const { return exchange_ != nullptr; }
    /// Whether its caller waits for it: then its time, too, is seen to.
    bool awaited() const;
    /// Whether it has not ended and nobody waits for it any more.
    bool cancelled() const;
    /// Has it told of the cancellation. False, with nothing done, once the exchange has ended.
    bool join(Dependent& dependent) const;
    /// The routes that it keeps. There must be an exchange.
    const std::shared_ptr<const RouteTable>& table() const;
    void release() {
        if (exchange_) untie();
    }

private:
    void untie();

    Exchange* exchange_ = nullptr;
    bool atHome_ = false;  // made on the loop, and counted there
};

}  // namespace postbus::core
