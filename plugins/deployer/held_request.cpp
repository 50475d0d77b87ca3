#include "plugins/deployer/held_request.hpp"

namespace postbus::deployer {
namespace {

postbus_str lent(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }

}  // namespace

postbus_outcome describe(const inproc::Outcome& outcome) {
    postbus_outcome told{};
    told.size = sizeof told;
    told.cancelled = outcome.cancelled ? 1 : 0;
    switch (outcome.kind) {
        case inproc::Outcome::Kind::Answer:
            told.kind = POSTBUS_OUTCOME_ANSWER;
            if (outcome.tape) told.tape = outcome.tape->view();
            told.bytes = lent(outcome.bytes);
            told.content_type = lent(outcome.contentType);
            break;
        case inproc::Outcome::Kind::Done:
            told.kind = POSTBUS_OUTCOME_DONE;
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

void KeptOutcome::keep(const inproc::Outcome& outcome) {
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
}

}  // namespace postbus::deployer
