#include "core/exchange/conversation.hpp"

#include <string>

namespace postbus::core {
namespace {

Conversation::Party other(Conversation::Party party) {
    return party == Conversation::Party::Caller ? Conversation::Party::Service : Conversation::Party::Caller;
}

}  // namespace

const char* textOf(Conversation::Party party) {
    return party == Conversation::Party::Caller ? "the caller" : "the service";
}

const char* textOf(Conversation::Move move) {
    constexpr const char* texts[] = {"In", "Out", "Fault", "Done", "Error"};
    return texts[static_cast<std::size_t>(move)];
}

Conversation::Party Conversation::turn() const {
    switch (stage_) {
        case Stage::Begin:
        case Stage::Second:
            return initiator();
        case Stage::First:
            return other(initiator());
        case Stage::Faulted:
            break;
    }
    return faultByInitiator_ ? other(initiator()) : initiator();
}

bool Conversation::allowsMessage(Party party) const {
    if (stage_ == Stage::Begin) return party == initiator();
    return stage_ == Stage::First && rulesOf(pattern_).second != Second::None;
}

/// A fault that replaces a message comes in the place of the second; one that a message triggers, as the answer to any
/// (WSDL 2.0 Adjuncts sections 2.2.1 and 2.2.2).
bool Conversation::allowsFault() const {
    switch (rulesOf(pattern_).faults) {
        case FaultRule::ReplacesMessage:
            return stage_ == Stage::First;
        case FaultRule::TriggeredByMessage:
            return stage_ == Stage::First || stage_ == Stage::Second;
        case FaultRule::None:
            break;
    }
    return false;
}

bool Conversation::allowsDone() const {
    if (stage_ == Stage::First) return rulesOf(pattern_).second != Second::Required;
    return stage_ != Stage::Begin;
}

bool Conversation::allows(Party party, Move move) const {
    if (!active() || party != turn()) return false;
    switch (move) {
        case Move::In:
            return party == Party::Caller && allowsMessage(party);
        case Move::Out:
            return party == Party::Service && allowsMessage(party);
        case Move::Fault:
            return allowsFault();
        case Move::Done:
            return allowsDone();
        case Move::Error:
            return stage_ != Stage::Begin;
    }
    return false;
}

Result<void> Conversation::make(Party party, Move move) {
    if (!allows(party, move)) {
        std::string reason = std::string("in ") + std::string(nameOf(pattern_)) + ", " + textOf(party) + " can't say " +
                             textOf(move) + ": ";
        if (!active())
            reason += "the exchange has ended";
        else if (party != turn())
            reason += std::string("it is the turn of ") + textOf(turn());
        else
            reason += "the pattern has no place for it here";
        return Error::invalid(std::move(reason));
    }
    switch (move) {
        case Move::In:
        case Move::Out:
            stage_ = stage_ == Stage::Begin ? Stage::First : Stage::Second;
            break;
        case Move::Fault:
            faultByInitiator_ = party == initiator();
            stage_ = Stage::Faulted;
            break;
        case Move::Done:
            state_ = State::Done;
            break;
        case Move::Error:
            state_ = State::Error;
            break;
    }
    return ok();
}

bool Conversation::abort() {
    if (!active()) return false;
    state_ = State::Error;
    return true;
}

}  // namespace postbus::core
