#include <boost/test/unit_test.hpp>

#include <map>
#include <set>
#include <string>

#include "core/exchange/conversation.hpp"

using namespace postbus;
using namespace postbus::core;
using Party = Conversation::Party;
using Move = Conversation::Move;
using State = Conversation::State;

namespace {

/// What may be said from the first word to the last, written as the texts of the standards have it: c is the caller, s
/// the service; I In, O Out, F Fault, D Done. Error may stand for any word but the first and ends it.
const std::map<Pattern, std::set<std::string>> whole = {
    {Pattern::InOnly, {"cI sD"}},
    {Pattern::RobustInOnly, {"cI sD", "cI sF cD"}},
    {Pattern::InOut, {"cI sO cD", "cI sF cD"}},
    {Pattern::InOptionalOut, {"cI sD", "cI sO cD", "cI sO cF sD", "cI sF cD"}},
    {Pattern::OutOnly, {"sO cD"}},
    {Pattern::RobustOutOnly, {"sO cD", "sO cF sD"}},
    {Pattern::OutIn, {"sO cI sD", "sO cF sD"}},
    {Pattern::OutOptionalIn, {"sO cD", "sO cI sD", "sO cI sF cD", "sO cF sD"}},
};

/// The same with each way to end in an error.
std::set<std::string> withErrors(const std::set<std::string>& sequences) {
    std::set<std::string> all = sequences;
    for (const std::string& each : sequences)
        for (std::size_t at = 3; at < each.size(); at += 3) all.insert(each.substr(0, at + 1) + "E");
    return all;
}

/// Visits every sequence of words up to a length, legal or not, and gathers those that ended the conversation.
void tryAll(const Conversation& before, const std::string& said, const std::set<std::string>& legal,
            std::set<std::string>& ended, int left) {
    constexpr std::pair<Party, char> parties[] = {{Party::Caller, 'c'}, {Party::Service, 's'}};
    constexpr std::pair<Move, char> moves[] = {
        {Move::In, 'I'}, {Move::Out, 'O'}, {Move::Fault, 'F'}, {Move::Done, 'D'}, {Move::Error, 'E'}};
    for (const auto& [party, p] : parties)
        for (const auto& [move, m] : moves) {
            const std::string now = said + (said.empty() ? "" : " ") + p + m;
            Conversation conversation = before;
            const bool allowed = conversation.allows(party, move);
            BOOST_TEST(static_cast<bool>(conversation.make(party, move)) == allowed);
            const bool expected = std::any_of(legal.begin(), legal.end(), [&](const std::string& each) {
                return each == now || each.starts_with(now + ' ');
            });
            BOOST_TEST(allowed == expected, nameOf(before.pattern()) << ": " << now);
            if (!conversation.active() && before.active()) ended.insert(now);
            if (conversation.active() || !allowed)
                BOOST_TEST((conversation.state() == before.state()));
            else
                BOOST_TEST((conversation.state() == (m == 'E' ? State::Error : State::Done)));
            if (left > 1 && allowed) tryAll(conversation, now, legal, ended, left - 1);
        }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conversation)

BOOST_AUTO_TEST_CASE(allows_exactly_what_its_pattern_says_in_every_sequence) {
    for (const Pattern pattern : everyPattern) {
        const std::set<std::string> legal = withErrors(whole.at(pattern));
        std::set<std::string> ended;
        tryAll(Conversation(pattern), "", legal, ended, 6);
        BOOST_TEST(ended == legal, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(says_why_a_word_is_out_of_place) {
    Conversation inOnly(Pattern::InOnly);
    BOOST_TEST(inOnly.make(Party::Service, Move::Out).error().message() ==
               "in InOnly, the service can't say Out: it is the turn of the caller");
    BOOST_REQUIRE(inOnly.make(Party::Caller, Move::In));
    BOOST_TEST(inOnly.make(Party::Service, Move::Fault).error().message() ==
               "in InOnly, the service can't say Fault: the pattern has no place for it here");
    BOOST_REQUIRE(inOnly.make(Party::Service, Move::Done));
    BOOST_TEST(inOnly.make(Party::Service, Move::Done).error().message() ==
               "in InOnly, the service can't say Done: the exchange has ended");
}

BOOST_AUTO_TEST_CASE(is_aborted_once_and_never_after_its_end) {
    for (const Pattern pattern : everyPattern) {
        Conversation running(pattern);
        BOOST_TEST(running.abort());
        BOOST_TEST((running.state() == State::Error));
        BOOST_TEST(!running.abort());
    }
    Conversation over(Pattern::InOnly);
    BOOST_REQUIRE(over.make(Party::Caller, Move::In));
    BOOST_REQUIRE(over.make(Party::Service, Move::Done));
    BOOST_TEST(!over.abort());
    BOOST_TEST((over.state() == State::Done));
}

BOOST_AUTO_TEST_SUITE_END()
