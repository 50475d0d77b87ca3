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
    Party turn() const;

    bool allows(Party party, Move move) const;
    /// Makes the move, or says why the pattern does not allow it (Error::Kind::Invalid) and stays as it was.
    Result<void> make(Party party, Move move);
    /// Ends it with Error out of turn: the deadline has passed, one side is gone. False when it is over already.
    bool abort();

private:
    enum class Stage : std::uint8_t { Begin, First, Second, Faulted };

    Party initiator() const { return rulesOf(pattern_).serviceFirst ? Party::Service : Party::Caller; }
    bool allowsMessage(Party party) const;
    bool allowsFault() const;
    bool allowsDone() const;

    Pattern pattern_;
    State state_ = State::Active;
    Stage stage_ = Stage::Begin;
    bool faultByInitiator_ = false;
};

const char* textOf(Conversation::Party party);
const char* textOf(Conversation::Move move);

}  // namespace postbus::core
