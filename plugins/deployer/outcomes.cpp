#include "plugins/deployer/outcomes.hpp"

#include <optional>

#include "plugins/deployer/deployer_events.hpp"

namespace postbus::deployer {
namespace {

postbus_str lent(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }

}  // namespace

postbus_outcome describe(const inproc::Outcome& outcome) {
    postbus_outcome told;  // set one by one: a compiler has slow means for the whole of it
    told.size = sizeof told;
    told.kind = POSTBUS_OUTCOME_DONE;
    told.tape = nullptr;
    told.bytes = {};
    told.content_type = {};
    told.reason = {};
    told.detail = {};
    told.code = 0;
    told.cancelled = outcome.cancelled ? 1 : 0;
    switch (outcome.kind) {
        case inproc::Outcome::Kind::Answer:
            told.kind = POSTBUS_OUTCOME_ANSWER;
            if (outcome.tape) told.tape = outcome.tape->view();
            told.bytes = lent(outcome.bytes);
            told.content_type = lent(outcome.contentType);
            break;
        case inproc::Outcome::Kind::Done:
            break;
        case inproc::Outcome::Kind::Fault:
            told.kind = POSTBUS_OUTCOME_FAULT;
            told.code =
                outcome.fault->code == core::Fault::Code::Receiver ? POSTBUS_FAULT_RECEIVER : POSTBUS_FAULT_SENDER;
            told.reason = lent(outcome.fault->reason);
            told.detail = lent(outcome.fault->detail);
            break;
    }
    return told;
}

postbus_outcome failureOf(std::string_view reason) {
    postbus_outcome told{};
    told.size = sizeof told;
    told.kind = POSTBUS_OUTCOME_FAULT;
    told.code = POSTBUS_FAULT_RECEIVER;
    told.reason = lent(reason);
    return told;
}

void tell(const Service& service, std::string_view what, core::ExchangePool* pool, const Continuation& then,
          const inproc::Outcome& outcome) {
    const postbus_outcome lentOutcome = describe(outcome);
    // Within a handler's own frame it is seen already.
    std::optional<core::LoopSight::Call> inside;
    if (pool && !pool->sight().inside())
        inside.emplace(pool->sight(), service.name(), what, std::string_view(), TimePoint{});
    try {
        then.function(then.context, &lentOutcome);
    } catch (...) {
        log::emit(PluginMisbehaved, {{"service", service.name()}, {"in", "an outcome"}, {"threw", "something"}});
    }
}

void AwaitedOutcome::keep(const inproc::Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    inproc::Outcome kept = outcome;
    if (outcome.tape) {
        tape_.swap(*outcome.tape);
        kept.tape = &tape_;
    }
    bytes_ = outcome.bytes;
    contentType_ = outcome.contentType;
    kept.bytes = bytes_;
    kept.contentType = contentType_;
    if (outcome.fault) {
        fault_ = *outcome.fault;
        kept.fault = &fault_;
    }
    outcome_ = describe(kept);
    over_ = true;
    kept_.notify_one();
}

const postbus_outcome* AwaitedOutcome::wait() {
    std::unique_lock lock(mutex_);
    kept_.wait(lock, [this] { return over_; });
    return &outcome_;
}

}  // namespace postbus::deployer
