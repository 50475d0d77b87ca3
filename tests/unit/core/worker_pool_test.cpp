#include "core/exchange/worker_pool.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <latch>

using namespace postbus::core;

BOOST_AUTO_TEST_SUITE(worker_pool)

BOOST_AUTO_TEST_CASE(takes_as_many_at_once_as_it_has_threads_and_room) {
    constexpr int threads = 3, capacity = 2;
    WorkerPool pool(threads, capacity);
    std::latch release(1);
    std::atomic<int> done{0};
    const auto task = [&] {
        release.wait();
        ++done;
    };

    for (int i = 0; i < threads + capacity; ++i) BOOST_TEST(pool.submit(task));
    BOOST_TEST(!pool.submit(task));

    release.count_down();
    pool.stop();
    BOOST_TEST(done == threads + capacity);
}

BOOST_AUTO_TEST_CASE(has_room_again_when_a_task_has_ended) {
    WorkerPool pool(1, 0);
    for (int i = 0; i < 100; ++i) {
        std::atomic<bool> ended{false};
        while (!pool.submit([&] { ended = true; })) std::this_thread::yield();
        while (!ended) std::this_thread::yield();
    }
}

BOOST_AUTO_TEST_CASE(takes_nothing_after_its_stop) {
    WorkerPool pool(1, 1);
    pool.stop();
    BOOST_TEST(!pool.submit([] {}));
}

BOOST_AUTO_TEST_SUITE_END()
