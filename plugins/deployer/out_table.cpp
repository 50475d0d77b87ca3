#include "plugins/deployer/out_table.hpp"

#include <memory>
#include <utility>

#include "plugins/deployer/outcomes.hpp"
#include "plugins/deployer/service.hpp"
#include "plugins/tables/check.hpp"
#include "transports/inproc/out_exchange.hpp"

// No exception may pass from here into a plugin.
namespace postbus::deployer {
namespace {

using inproc::OutExchange;

/// A plugin's hold on a message of its own: from begin to the end of `then`, or to drop.
struct Held {
    explicit Held(Service& owner) : service(owner) { service.enter(); }
    ~Held() { service.leave(); }  // with it the deployer may unload the code
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    static Held& of(const postbus_call* call) { return *static_cast<Held*>(core::LentCall::of(call).lender_); }

    Service& service;
    std::shared_ptr<OutExchange> exchange;
    Continuation then;
    AwaitedOutcome awaited;
};

postbus_call* begin(postbus_service_context* context, const postbus_call* cause, std::uint32_t mep,
                    postbus_str message) {
    if (mep < POSTBUS_MEP_OUT_ONLY || mep > POSTBUS_MEP_OUT_OPTIONAL_IN) return nullptr;
    try {
        Service& service = Service::of(context);
        auto held = std::make_unique<Held>(service);
        held->exchange = OutExchange::begin(*service.bus(), cause ? &core::Exchange::of(cause) : nullptr,
                                            service.name(), tables::view(message), static_cast<core::Pattern>(mep));
        held->exchange->lender_ = held.get();
        return &held.release()->exchange->call_;
    } catch (...) {
        return nullptr;
    }
}

void limit(postbus_call* call, std::int64_t deadline) {
    Held::of(call).exchange->limit(TimePoint(std::chrono::nanoseconds(deadline)));
}

int to(postbus_call* call, postbus_str address) {
    try {
        Held::of(call).exchange->to(tables::view(address));
        return 1;
    } catch (...) {
        return 0;
    }
}

void told(void* context, const inproc::Outcome& outcome) {
    const std::unique_ptr<Held> held(static_cast<Held*>(context));
    tell(held->service, held->exchange->name(), held->exchange->pool(), held->then, outcome);
}

void send(postbus_call* call, void (*then)(void*, const postbus_outcome*), void* context) {
    Held& held = Held::of(call);
    held.then = {then, context};
    const std::shared_ptr<OutExchange> exchange = held.exchange;
    try {
        exchange->send(told, &held);
    } catch (...) {  // no memory to send it with: told all the same
        core::Fault fault;
        fault.reason = "not enough memory for the message";
        inproc::Outcome outcome;
        outcome.kind = inproc::Outcome::Kind::Fault;
        outcome.fault = &fault;
        told(&held, outcome);
    }
}

void keep(void* context, const inproc::Outcome& outcome) { static_cast<Held*>(context)->awaited.keep(outcome); }

const postbus_outcome* wait(postbus_call* call) {
    Held& held = Held::of(call);
    try {
        if (held.exchange->onLoop()) {
            held.awaited.fail("a nonblocking operation can't wait for what comes back; send with a continuation");
            return held.awaited.get();
        }
        const core::WorkerPool::Waiting place(held.service.bus()->workers());
        held.exchange->send(keep, &held);
        return held.awaited.wait();
    } catch (...) {
        held.awaited.fail("not enough memory for the message");
        return held.awaited.get();
    }
}

void drop(postbus_call* call) {
    const std::unique_ptr<Held> held(&Held::of(call));
    held->awaited.settle();
}

/// Of the other table: what is begun here goes to no endpoint that the plugin could name.
postbus_call* beginNothing(postbus_service_context*, const postbus_call*, postbus_str) { return nullptr; }
void* room(postbus_call*, std::uint32_t) { return nullptr; }

constexpr postbus_invoke requests{sizeof(postbus_invoke), beginNothing, limit, send, wait, drop, to, room};
constexpr postbus_out_first table{sizeof(postbus_out_first), begin, &requests};

}  // namespace

const postbus_out_first& outTable() { return table; }

}  // namespace postbus::deployer
