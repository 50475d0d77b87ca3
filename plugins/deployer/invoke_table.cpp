#include "plugins/deployer/invoke_table.hpp"

#include <memory>
#include <utility>

#include "plugins/deployer/outcomes.hpp"
#include "plugins/deployer/service.hpp"
#include "plugins/tables/check.hpp"
#include "transports/inproc/invocation.hpp"

// No exception may pass from here into a plugin.
namespace postbus::deployer {
namespace {

using inproc::Invocation;
using inproc::InvocationPtr;
using inproc::Outcome;

constexpr std::string_view noMemory = "not enough memory for the call";

/// The service that makes a request; lent along with it.
Service& ownerOf(const Invocation& invocation) { return *static_cast<Service*>(invocation.lender_); }

postbus_call* begin(postbus_service_context* context, const postbus_call* caller, postbus_str endpoint) {
    try {
        Service& service = Service::of(context);
        InvocationPtr invocation =
            Invocation::begin(*service.bus(), caller ? &core::Exchange::of(caller) : nullptr, tables::view(endpoint));
        invocation->lender_ = &service;
        return &invocation.release()->call_;
    } catch (...) {
        return nullptr;
    }
}

void limit(postbus_call* call, std::int64_t deadline) {
    Invocation::of(call).limit(TimePoint(std::chrono::nanoseconds(deadline)));
}

void told(InvocationPtr invocation, const Outcome& outcome) {
    Service& service = ownerOf(*invocation);
    const Invocation::Note note = invocation->note;
    if (note.toldWithin) *note.toldWithin = true;
    tell(service, invocation->endpoint(), invocation->pool(), {note.function, note.context}, outcome);
    if (note.counted) service.leave();  // with it the deployer may unload the code
}

void refuse(InvocationPtr invocation) {
    core::Fault fault;
    fault.reason = noMemory;
    Outcome outcome;
    outcome.kind = Outcome::Kind::Fault;
    outcome.fault = &fault;
    told(std::move(invocation), outcome);
}

/// Until `then` has been called, the plugin's code is needed. While this thread is in here it comes back to that code
/// anyway: only what is not answered by then has to be counted.
void send(postbus_call* call, void (*then)(void*, const postbus_outcome*), void* context) {
    Invocation& invocation = Invocation::of(call);
    Service& service = ownerOf(invocation);
    const bool home = invocation.isHome();
    bool toldWithin = false;
    invocation.note.function = then;
    invocation.note.context = context;
    if (home) {
        invocation.note.toldWithin = &toldWithin;
    } else {
        invocation.note.counted = true;
        service.enter();
    }
    try {
        Invocation::send(InvocationPtr(&invocation), told);
    } catch (...) {  // no memory to send it with: told all the same
        if (!toldWithin) refuse(InvocationPtr(&invocation));
        return;
    }
    if (!home || toldWithin) return;
    // It will be on this thread, and not before this has returned.
    invocation.note.toldWithin = nullptr;
    invocation.note.counted = true;
    service.enter();
}

void keep(InvocationPtr invocation, const Outcome& outcome) {
    static_cast<AwaitedOutcome*>(invocation.release()->note.context)->keep(outcome);  // the plugin's, until it drops it
}

constexpr postbus_outcome failedToWait{sizeof(postbus_outcome),
                                       POSTBUS_OUTCOME_FAULT,
                                       nullptr,
                                       {},
                                       {},
                                       POSTBUS_FAULT_RECEIVER,
                                       {noMemory.data(), noMemory.size()},
                                       {},
                                       0};

/// The thread that waits is in the plugin's code: nothing has to be counted.
const postbus_outcome* wait(postbus_call* call) {
    Invocation& invocation = Invocation::of(call);
    try {
        AwaitedOutcome& awaited = *std::make_unique<AwaitedOutcome>().release();
        invocation.note.context = &awaited;  // until drop()
        if (invocation.onLoop()) {
            awaited.fail("a nonblocking operation can't wait for another; send the request with a continuation");
            return awaited.get();
        }
        const core::WorkerPool::Waiting place(ownerOf(invocation).bus()->workers());
        Invocation::send(InvocationPtr(&invocation), keep);
        return awaited.wait();
    } catch (...) {
        return &failedToWait;
    }
}

void drop(postbus_call* call) {
    const InvocationPtr invocation(&Invocation::of(call));
    const std::unique_ptr<AwaitedOutcome> awaited(static_cast<AwaitedOutcome*>(invocation->note.context));
    if (awaited) awaited->settle();
}

/// Where this goes is known from its beginning.
int to(postbus_call*, postbus_str) { return 0; }

void* room(postbus_call* call, std::uint32_t size) {
    Invocation& invocation = Invocation::of(call);
    return size <= invocation.room.size() ? invocation.room.data() : nullptr;
}

constexpr postbus_invoke table{sizeof(postbus_invoke), begin, limit, send, wait, drop, to, room};

}  // namespace

const postbus_invoke& invokeTable() { return table; }

}  // namespace postbus::deployer
