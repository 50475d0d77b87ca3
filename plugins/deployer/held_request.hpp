#pragma once

#include <postbus/abi.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/service.hpp"
#include "transports/inproc/invocation.hpp"

namespace postbus::deployer {

/// An outcome as plugins are told of it; lends what it holds.
postbus_outcome describe(const inproc::Outcome& outcome);
/// A Receiver fault that a plugin is told of where there is no outcome. `reason` must be there for as long as it is.
postbus_outcome failureOf(std::string_view reason);

/// An outcome that lasts: what it lends is in here.
class KeptOutcome {
public:
    void keep(const inproc::Outcome& outcome);
    void fail(std::string_view reason) { outcome_ = failureOf(reason); }
    const postbus_outcome* get() const { return &outcome_; }

private:
    xml::Tape tape_;
    std::string bytes_, contentType_;
    core::Fault fault_;
    postbus_outcome outcome_{};
};

/// A plugin's hold on an exchange of its own: from begin to the end of `then`, or to drop; and what its table of
/// POSTBUS_INVOKE does with it. `Kind` says what kind of exchange: its type `Exchange`, which is sent, limited and has
/// a `lender_` as inproc::Invocation does; nameOf() it, for who watches the loops; and the words for it.
///
/// No exception passes from here into a plugin.
template <class Kind>
struct HeldRequest {
    explicit HeldRequest(Service& owner) : service(owner) { service.enter(); }
    ~HeldRequest() { service.leave(); }  // with it the deployer may unload the code
    HeldRequest(const HeldRequest&) = delete;
    HeldRequest& operator=(const HeldRequest&) = delete;

    static HeldRequest& of(const postbus_call* call) {
        return *static_cast<HeldRequest*>(core::LentCall::of(call).lender_);
    }
    /// Into the plugin's hands.
    static postbus_call* lend(Service& service, std::shared_ptr<typename Kind::Exchange> exchange) {
        auto held = std::make_unique<HeldRequest>(service);
        held->exchange = std::move(exchange);
        held->exchange->lender_ = held.get();
        return &held.release()->exchange->call_;
    }

    static void limit(postbus_call* call, std::int64_t deadline) {
        of(call).exchange->limit(TimePoint(std::chrono::nanoseconds(deadline)));
    }

    static void send(postbus_call* call, void (*then)(void*, const postbus_outcome*), void* context) {
        HeldRequest& held = of(call);
        held.then = then;
        held.context = context;
        const std::shared_ptr<typename Kind::Exchange> exchange = held.exchange;
        try {
            exchange->send(told, &held);
        } catch (...) {  // no memory to send it with: told all the same
            core::Fault fault;
            fault.reason = Kind::noMemory;
            inproc::Outcome outcome;
            outcome.kind = inproc::Outcome::Kind::Fault;
            outcome.fault = &fault;
            told(&held, outcome);
        }
    }

    static const postbus_outcome* wait(postbus_call* call) {
        HeldRequest& held = of(call);
        try {
            if (held.exchange->onLoop()) {
                held.kept.fail(Kind::mayNotWait);
                return held.kept.get();
            }
            const core::WorkerPool::Waiting waiting(held.service.bus()->workers());
            held.exchange->send(answer, &held);
            std::unique_lock lock(held.mutex);
            held.answered.wait(lock, [&] { return held.over; });
        } catch (...) {
            held.kept.fail(Kind::noMemory);
        }
        return held.kept.get();
    }

    static void drop(postbus_call* call) {
        const std::unique_ptr<HeldRequest> held(&of(call));
        // Whoever was told may still be on the way out of it, with the lock in hand.
        const std::lock_guard lock(held->mutex);
    }

    Service& service;
    std::shared_ptr<typename Kind::Exchange> exchange;
    void (*then)(void*, const postbus_outcome*) = nullptr;
    void* context = nullptr;

    // For one who waits.
    std::mutex mutex;
    std::condition_variable answered;
    bool over = false;
    KeptOutcome kept;

private:
    static void told(void* context, const inproc::Outcome& outcome) {
        const std::unique_ptr<HeldRequest> held(static_cast<HeldRequest*>(context));
        const postbus_outcome lentOutcome = describe(outcome);
        // Within a handler's own frame it is seen already.
        std::optional<core::LoopSight::Call> inside;
        if (core::ExchangePool* const pool = held->exchange->pool(); pool && !pool->sight().inside())
            inside.emplace(pool->sight(), held->service.name(), Kind::nameOf(*held->exchange), std::string_view(),
                           TimePoint{});
        try {
            held->then(held->context, &lentOutcome);
        } catch (...) {
            log::emit(PluginMisbehaved,
                      {{"service", held->service.name()}, {"in", Kind::outcome}, {"threw", "something"}});
        }
    }

    static void answer(void* context, const inproc::Outcome& outcome) {
        HeldRequest& held = *static_cast<HeldRequest*>(context);
        const std::lock_guard lock(held.mutex);
        held.kept.keep(outcome);
        held.over = true;
        held.answered.notify_one();
    }
};

}  // namespace postbus::deployer
