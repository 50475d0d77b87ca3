#include "server/daemon/reload_requests.hpp"

#include <poll.h>

#include <boost/test/unit_test.hpp>
#include <thread>

using namespace postbus;
using server::ReloadRequests;

namespace {

bool readable(int descriptor, int patience) {
    pollfd wait{descriptor, POLLIN, 0};
    return poll(&wait, 1, patience) == 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reload_requests)

BOOST_AUTO_TEST_CASE(give_all_who_asked_one_outcome) {
    ReloadRequests requests;
    admin::ReloadReport first, second;
    std::thread one([&] { first = requests.ask(); }), two([&] { second = requests.ask(); });
    ReloadRequests::Waiting waiting;
    while (waiting.size() < 2) {
        BOOST_REQUIRE(readable(requests.descriptor(), 5000));
        for (auto& each : requests.take()) waiting.push_back(std::move(each));
    }

    ReloadRequests::answer(std::move(waiting), {true, false, {}, {"workers.threads"}});
    one.join();
    two.join();

    BOOST_TEST(first.reloaded);
    BOOST_TEST(second.reloaded);
    BOOST_TEST(second.restart.front() == "workers.threads");
    BOOST_TEST(!readable(requests.descriptor(), 0));
}

BOOST_AUTO_TEST_CASE(leave_nobody_waiting_when_closed) {
    ReloadRequests requests;
    admin::ReloadReport early;
    std::thread asking([&] { early = requests.ask(); });
    BOOST_REQUIRE(readable(requests.descriptor(), 5000));

    requests.close();
    asking.join();
    const admin::ReloadReport late = requests.ask();

    BOOST_TEST(!early.reloaded);
    BOOST_TEST(early.problems.front() == "the daemon is stopping");
    BOOST_TEST(!late.reloaded);
}

BOOST_AUTO_TEST_SUITE_END()
