#include "core/exchange/conversation.hpp"

#include <string>

namespace postbus::core {

const char* textOf(Conversation::Party party) {
    return party == Conversation::Party::Caller ? "the caller" : "the service";
}

const char* textOf(Conversation::Move move) {
    constexpr const char* texts[] = {"In", "Out", "Fault", "Done", "Error"};
    return texts[static_cast<std::size_t>(move)];
}

/// Of a move that is not allowed: why.
Error Conversation::refusal(Party party, Move move) const {
    std::string reason =
        std::string("in ") + std::string(nameOf(pattern_)) + ", " + textOf(party) + " can't say " + textOf(move) + ": ";
    if (!active())
        reason += "the exchange has ended";
    else if (party != turn())
        reason += std::string("it is the turn of ") + textOf(turn());
    else
        reason += "the pattern has no place for it here";
    return Error::invalid(std::move(reason));
}

bool Conversation::abort() {
    if (!active()) return false;
    state_ = State::Error;
    return true;
}

}  // namespace postbus::core
