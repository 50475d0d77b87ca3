#include "plugins/deployer/invoke_table.hpp"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/service.hpp"
#include "plugins/tables/check.hpp"
#include "transports/inproc/invocation.hpp"

// No exception may pass from here into a plugin.
namespace postbus::deployer {
namespace {

using inproc::Invocation;
using inproc::Outcome;
using tables::view;

postbus_str lent(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }

/// A plugin's hold on a request of its own: from begin to the end of `then`, or to drop.
struct Request {
    explicit Request(Service& owner) : service(owner) { service.enter(); }
    ~Request() { service.leave(); }  // with it the deployer may unload the code

    Service& service;
    std::shared_ptr<Invocation> invocation;
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

    static Request& of(const postbus_call* call) { return *static_cast<Request*>(core::LentCall::of(call).lender_); }
};

postbus_call* begin(postbus_service_context* context, const postbus_call* caller, postbus_str endpoint) {
    try {
        Service& service = Service::of(context);
        auto request = std::make_unique<Request>(service);
        request->invocation =
            Invocation::begin(*service.bus(), caller ? &core::Exchange::of(caller) : nullptr, view(endpoint));
        request->invocation->lender_ = request.get();
        return &request.release()->invocation->call_;
    } catch (...) {
        return nullptr;
    }
}

void limit(postbus_call* call, std::int64_t deadline) {
    Request::of(call).invocation->limit(TimePoint(std::chrono::nanoseconds(deadline)));
}

void told(void* context, const Outcome& outcome) {
    const std::unique_ptr<Request> request(static_cast<Request*>(context));
    const postbus_outcome lentOutcome = describe(outcome);
    // Within a handler's own frame it is seen already.
    std::optional<core::LoopSight::Call> inside;
    if (core::ExchangePool* const pool = request->invocation->pool(); pool && !pool->sight().inside())
        inside.emplace(pool->sight(), request->service.name(), request->invocation->endpoint(), std::string_view(),
                       TimePoint{});
    try {
        request->then(request->context, &lentOutcome);
    } catch (...) {
        log::emit(PluginMisbehaved,
                  {{"service", request->service.name()}, {"in", "the outcome of a call"}, {"threw", "something"}});
    }
}

void send(postbus_call* call, void (*then)(void*, const postbus_outcome*), void* context) {
    Request& request = Request::of(call);
    request.then = then;
    request.context = context;
    const std::shared_ptr<Invocation> invocation = request.invocation;
    try {
        invocation->send(told, &request);
    } catch (...) {  // no memory to send it with: told all the same
        core::Fault fault;
        fault.reason = "not enough memory for the call";
        Outcome outcome;
        outcome.kind = Outcome::Kind::Fault;
        outcome.fault = &fault;
        told(&request, outcome);
    }
}

void keep(void* context, const Outcome& outcome) {
    Request& request = *static_cast<Request*>(context);
    const std::lock_guard lock(request.mutex);
    Outcome kept = outcome;
    if (outcome.tape) {
        request.tape.swap(*outcome.tape);
        kept.tape = &request.tape;
    }
    request.bytes = outcome.bytes;
    request.contentType = outcome.contentType;
    kept.bytes = request.bytes;
    kept.contentType = request.contentType;
    if (outcome.fault) {
        request.fault = *outcome.fault;
        kept.fault = &request.fault;
    }
    request.outcome = describe(kept);
    request.over = true;
    request.answered.notify_one();
}

const postbus_outcome* wait(postbus_call* call) {
    Request& request = Request::of(call);
    try {
        if (request.invocation->onLoop()) {
            core::Fault fault;
            fault.reason = "a nonblocking operation can't wait for another; send the request with a continuation";
            Outcome outcome;
            outcome.kind = Outcome::Kind::Fault;
            outcome.fault = &fault;
            keep(&request, outcome);
            return &request.outcome;
        }
        const core::WorkerPool::Waiting waiting(request.service.bus()->workers());
        request.invocation->send(keep, &request);
        std::unique_lock lock(request.mutex);
        request.answered.wait(lock, [&] { return request.over; });
    } catch (...) {
        request.outcome = {};
        request.outcome.size = sizeof request.outcome;
        request.outcome.kind = POSTBUS_OUTCOME_FAULT;
        request.outcome.code = POSTBUS_FAULT_RECEIVER;
        request.outcome.reason = lent("not enough memory for the call");
    }
    return &request.outcome;
}

void drop(postbus_call* call) {
    const std::unique_ptr<Request> request(&Request::of(call));
    // Whoever was told may still be on the way out of it, with the lock in hand.
    const std::lock_guard lock(request->mutex);
}

constexpr postbus_invoke table{sizeof(postbus_invoke), begin, limit, send, wait, drop};

}  // namespace

postbus_outcome describe(const Outcome& outcome) {
    postbus_outcome told{};
    told.size = sizeof told;
    told.cancelled = outcome.cancelled ? 1 : 0;
    switch (outcome.kind) {
        case Outcome::Kind::Answer:
            told.kind = POSTBUS_OUTCOME_ANSWER;
            if (outcome.tape) told.tape = outcome.tape->view();
            told.bytes = lent(outcome.bytes);
            told.content_type = lent(outcome.contentType);
            break;
        case Outcome::Kind::Done:
            told.kind = POSTBUS_OUTCOME_DONE;
            break;
        case Outcome::Kind::Fault:
            told.kind = POSTBUS_OUTCOME_FAULT;
            told.code =
                outcome.fault->code == core::Fault::Code::Receiver ? POSTBUS_FAULT_RECEIVER : POSTBUS_FAULT_SENDER;
            told.reason = lent(outcome.fault->reason);
            told.detail = lent(outcome.fault->detail);
            break;
    }
    return told;
}

const postbus_invoke& invokeTable() { return table; }

}  // namespace postbus::deployer
