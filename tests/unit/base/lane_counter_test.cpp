#include "base/lane_counter.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>
#include <vector>

using postbus::LaneCounter;

BOOST_AUTO_TEST_SUITE(lane_counter)

BOOST_AUTO_TEST_CASE(counts_those_inside_whichever_way_they_came) {
    LaneCounter counter;
    BOOST_TEST(counter.count() == 0);

    counter.enter();
    counter.enter();
    counter.enterForAll();
    BOOST_TEST(counter.count() == 3);
    std::thread([&] { counter.leaveForAll(); }).join();
    counter.leave();
    BOOST_TEST(counter.count() == 1);
    counter.leave();

    BOOST_TEST(counter.count() == 0);
}

BOOST_AUTO_TEST_CASE(has_room_for_more_threads_than_lanes_and_gives_lanes_on) {
    LaneCounter counter;
    for (int round = 0; round < 3; ++round) {
        std::atomic<int> there{0};
        std::atomic<bool> go{false};
        std::vector<std::thread> threads;
        for (int i = 0; i < 40; ++i)
            threads.emplace_back([&] {
                counter.enter();
                ++there;
                while (!go) std::this_thread::yield();
                for (int k = 0; k < 1'000; ++k) {
                    counter.enter();
                    counter.leave();
                }
                counter.leave();
            });
        while (there < 40) std::this_thread::yield();
        BOOST_TEST(counter.count() == 40);
        go = true;
        for (std::thread& each : threads) each.join();
        BOOST_TEST(counter.count() == 0);
    }
}

/// As when a plugin is unloaded: whoever reads zero may do away with what was used inside.
BOOST_AUTO_TEST_CASE(a_zero_means_that_all_have_left_and_what_they_did_is_seen) {
    constexpr int threads = 4;
    for (int round = 0; round < 200; ++round) {
        LaneCounter counter;
        std::vector<int> used(threads, 0);
        std::atomic<int> there{0};
        std::vector<std::thread> running;
        for (int i = 0; i < threads; ++i)
            running.emplace_back([&, i] {
                counter.enter();
                ++there;
                // Something that outlasts the stay, as an answer that comes later.
                counter.enterForAll();
                counter.leave();
                used[static_cast<std::size_t>(i)] = 1;
                counter.leaveForAll();
            });
        while (there < threads) std::this_thread::yield();
        while (counter.count() != 0) std::this_thread::yield();
        int sum = 0;
        for (const int each : used) sum += each;
        BOOST_TEST(sum == threads);
        for (std::thread& each : running) each.join();
    }
}

BOOST_AUTO_TEST_SUITE_END()
