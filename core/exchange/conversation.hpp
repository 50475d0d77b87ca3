#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "core/exchange/pattern.hpp"

namespace postbus::core {

/// The rules of all patterns as one machine: who may say what next, and when it is over.
///
/// A conversation is Active until the last speaker ends it: Done, or Error when it could not be brought to its end. The
/// one who gets the last message or fault says Done to it; a pattern without a second message ends with the Done of the
/// one who got the first. A value of a few bytes.
class Conversation {
public:
    enum class Party : std::uint8_t { Caller, Service };
    enum class Move : std::uint8_t {
        In,   // a message to the service
        Out,  // a message from it
        Fault,
        Done,  // all is well; nothing more will come
        Error  // it can't go on
    };
    enum class State : std::uint8_t { Active, Done, Error };

    explicit Conversation(Pattern pattern = Pattern::InOut) : pattern_(pattern) {}

    Pattern pattern() const { return pattern_; }
    State state() const { return state_; }
    bool active() const { return state_ == State::Active; }
    /// Whose turn it is, while it is active.
    Party turn() const {
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

    bool allows(Party party, Move move) const;
    /// Makes the move, or says why the pattern does not allow it (Error::Kind::Invalid) and stays as it was.
    Result<void> make(Party party, Move move) {
        if (!allows(party, move)) [[unlikely]]
            return refusal(party, move);
        made(party, move);
        return ok();
    }
    /// Ends it with Error out of turn: the deadline has passed, one side is gone. False when it is over already.
    bool abort();

private:
    enum class Stage : std::uint8_t { Begin, First, Second, Faulted };

    static constexpr Party other(Party party) { return party == Party::Caller ? Party::Service : Party::Caller; }
    Party initiator() const { return rulesOf(pattern_).serviceFirst ? Party::Service : Party::Caller; }
    bool allowsMessage(Party party) const {
        if (stage_ == Stage::Begin) return party == initiator();
        return stage_ == Stage::First && rulesOf(pattern_).second != Second::None;
    }
    bool allowsFault() const;
    bool allowsDone() const {
        if (stage_ == Stage::First) return rulesOf(pattern_).second != Second::Required;
        return stage_ != Stage::Begin;
    }
    void made(Party party, Move move);
    Error refusal(Party party, Move move) const;

    Pattern pattern_;
    State state_ = State::Active;
    Stage stage_ = Stage::Begin;
    bool faultByInitiator_ = false;
};

// All within one call of another: an exchange makes two moves, and each is a few comparisons.

/// A fault that replaces a message comes in the place of the second; one that a message triggers, as the answer to any
/// (WSDL 2.0 Adjuncts sections 2.2.1 and 2.2.2).
inline bool Conversation::allowsFault() const {
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

inline bool Conversation::allows(Party party, Move move) const {
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

inline void Conversation::made(Party party, Move move) {
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
}

const char* textOf(Conversation::Party party);
const char* textOf(Conversation::Move move);

}  // namespace postbus::core
