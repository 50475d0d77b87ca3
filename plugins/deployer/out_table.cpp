#include "plugins/deployer/out_table.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/invoke_table.hpp"
#include "plugins/deployer/service.hpp"
#include "plugins/tables/check.hpp"
#include "transports/inproc/out_exchange.hpp"

// No exception may pass from here into a plugin.
namespace postbus::deployer {
namespace {

using inproc::Outcome;
using inproc::OutExchange;
using tables::view;

constexpr postbus_str lent(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }

postbus_outcome failure(std::string_view reason) {
    postbus_outcome told{};
    told.size = sizeof told;
    told.kind = POSTBUS_OUTCOME_FAULT;
    told.code = POSTBUS_FAULT_RECEIVER;
    told.reason = lent(reason);
    return told;
}

/// A plugin's hold on an exchange that it begins: to the end of `then`, or to drop.
struct Held {
    explicit Held(Service& owner) : service(owner) { service.enter(); }
    ~Held() { service.leave(); }  // with it the deployer may unload the code

    Service& service;
    std::shared_ptr<OutExchange> exchange;
    void (*then)(void*, const postbus_outcome*) = nullptr;
    void* context = nullptr;

    // For one who waits.
    std::mutex mutex;
    std::condition_variable answered;
    bool over = false;
    xml::Tape tape;
    std::string bytes, contentType;
    core::Fault fault;
    postbus_outcome outcome{};

    static Held& of(const postbus_call* call) { return *static_cast<Held*>(core::LentCall::of(call).lender_); }
};

postbus_call* begin(postbus_service_context* context, const postbus_call* cause, std::uint32_t mep,
                    postbus_str message) {
    if (mep < POSTBUS_MEP_OUT_ONLY || mep > POSTBUS_MEP_OUT_OPTIONAL_IN) return nullptr;
    try {
        Service& service = Service::of(context);
        auto held = std::make_unique<Held>(service);
        held->exchange = OutExchange::begin(*service.bus(), cause ? &core::Exchange::of(cause) : nullptr,
                                            service.name(), view(message), static_cast<core::Pattern>(mep));
        held->exchange->lender_ = held.get();
        return &held.release()->exchange->call_;
    } catch (...) {
        return nullptr;
    }
}

/// Of the other table: what is begun here goes to no endpoint that the plugin could name.
postbus_call* beginNothing(postbus_service_context*, const postbus_call*, postbus_str) { return nullptr; }

void limit(postbus_call* call, std::int64_t deadline) {
    Held::of(call).exchange->limit(TimePoint(std::chrono::nanoseconds(deadline)));
}

void told(void* context, const Outcome& outcome) {
    const std::unique_ptr<Held> held(static_cast<Held*>(context));
    const postbus_outcome lentOutcome = describe(outcome);
    // Within a handler's own frame it is seen already.
    std::optional<core::LoopSight::Call> inside;
    if (core::ExchangePool* const pool = held->exchange->pool(); pool && !pool->sight().inside())
        inside.emplace(pool->sight(), held->service.name(), held->exchange->name(), std::string_view(), TimePoint{});
    try {
        held->then(held->context, &lentOutcome);
    } catch (...) {
        log::emit(PluginMisbehaved,
                  {{"service", held->service.name()}, {"in", "the outcome of a message"}, {"threw", "something"}});
    }
}

void send(postbus_call* call, void (*then)(void*, const postbus_outcome*), void* context) {
    Held& held = Held::of(call);
    held.then = then;
    held.context = context;
    const std::shared_ptr<OutExchange> exchange = held.exchange;
    try {
        exchange->send(told, &held);
    } catch (...) {  // no memory to send it with: told all the same
        core::Fault fault;
        fault.reason = "not enough memory for the message";
        Outcome outcome;
        outcome.kind = Outcome::Kind::Fault;
        outcome.fault = &fault;
        told(&held, outcome);
    }
}

void keep(void* context, const Outcome& outcome) {
    Held& held = *static_cast<Held*>(context);
    const std::lock_guard lock(held.mutex);
    Outcome kept = outcome;
    if (outcome.tape) {
        held.tape.swap(*outcome.tape);
        kept.tape = &held.tape;
    }
    held.bytes = outcome.bytes;
    held.contentType = outcome.contentType;
    kept.bytes = held.bytes;
    kept.contentType = held.contentType;
    if (outcome.fault) {
        held.fault = *outcome.fault;
        kept.fault = &held.fault;
    }
    held.outcome = describe(kept);
    held.over = true;
    held.answered.notify_one();
}

const postbus_outcome* wait(postbus_call* call) {
    Held& held = Held::of(call);
    try {
        if (held.exchange->onLoop()) {
            held.outcome = failure("a nonblocking operation can't wait for what comes back; send with a continuation");
            return &held.outcome;
        }
        const core::WorkerPool::Waiting waiting(held.service.bus()->workers());
        held.exchange->send(keep, &held);
        std::unique_lock lock(held.mutex);
        held.answered.wait(lock, [&] { return held.over; });
    } catch (...) {
        held.outcome = failure("not enough memory for the message");
    }
    return &held.outcome;
}

void drop(postbus_call* call) {
    const std::unique_ptr<Held> held(&Held::of(call));
    // Whoever was told may still be on the way out of it, with the lock in hand.
    const std::lock_guard lock(held->mutex);
}

constexpr postbus_invoke requests{sizeof(postbus_invoke), beginNothing, limit, send, wait, drop};
constexpr postbus_out_first table{sizeof(postbus_out_first), begin, &requests};

}  // namespace

const postbus_out_first& outTable() { return table; }

}  // namespace postbus::deployer
