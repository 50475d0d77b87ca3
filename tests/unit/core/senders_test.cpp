#include <boost/test/unit_test.hpp>

#include "core/port/senders.hpp"

using namespace postbus;

namespace {

struct Nowhere final : core::Sender {
    Result<void> check(std::string_view) const override { return ok(); }
    void send(std::string_view, core::OutboundMessage, TimePoint, Sent sent) override { sent(core::OutboundReply{}); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(senders)

BOOST_AUTO_TEST_CASE(are_found_by_the_scheme_in_any_case) {
    Nowhere http, queue;
    core::Senders senders;
    senders.add("http", http);
    senders.add("queue", queue);

    BOOST_TEST(senders.find("http://127.0.0.1:9000/stock") == &http);
    BOOST_TEST(senders.find("HTTP://127.0.0.1:9000/stock") == &http);
    BOOST_TEST(senders.find("queue:answers") == &queue);
}

BOOST_AUTO_TEST_CASE(know_nothing_of_other_schemes_and_of_what_has_none) {
    Nowhere http;
    core::Senders senders;
    senders.add("http", http);

    for (const std::string_view uri : {"https://127.0.0.1/", "httpx:", "http", "", ":", "/http:"})
        BOOST_TEST(senders.find(uri) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
