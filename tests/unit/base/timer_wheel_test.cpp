#include <boost/test/unit_test.hpp>

#include "base/timer_wheel.hpp"

using namespace postbus;

namespace {

struct Bell : Timer {
    std::function<void()> ring = [this] { ++rings; };
    int rings = 0;
    void onTimer() override { ring(); }
};

struct Fixture {
    TimePoint start = TimePoint() + std::chrono::hours(1);
    TimePoint now = start;
    TimerWheel wheel{start};

    void sleep(milliseconds time) { wheel.advance(now += time); }
    /// Runs the wheel as its loop does: from one wake-up to the next.
    void run(milliseconds time) {
        const TimePoint until = now + time;
        while (wheel.next() <= until) wheel.advance(now = std::max(now, wheel.next()));
        wheel.advance(now = until);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(timer_wheel, Fixture)

BOOST_AUTO_TEST_CASE(fires_within_two_ticks_behind_the_deadline_and_not_before) {
    for (const int ms : {0, 1, 15, 16, 17, 500, 5000, 8191, 8192, 8193, 20'000, 600'000}) {
        Bell bell;
        const TimePoint due = now + milliseconds(ms);
        wheel.set(bell, due);

        run(milliseconds(std::max(ms - 1, 0)));
        BOOST_TEST(bell.rings == (ms == 0 ? bell.rings : 0));
        run(due - now < milliseconds(0) ? milliseconds(32)
                                        : std::chrono::duration_cast<milliseconds>(due - now) + milliseconds(32));
        BOOST_TEST(bell.rings == 1);
        run(milliseconds(30'000));
        BOOST_TEST(bell.rings == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_later_deadline_takes_the_place_of_an_earlier_one) {
    Bell bell;
    wheel.set(bell, now + milliseconds(100));
    BOOST_TEST(!wheel.set(bell, now + milliseconds(1000)));

    run(milliseconds(900));
    BOOST_TEST(bell.rings == 0);
    run(milliseconds(150));
    BOOST_TEST(bell.rings == 1);
}

BOOST_AUTO_TEST_CASE(an_earlier_deadline_takes_the_place_of_a_later_one) {
    Bell bell;
    wheel.set(bell, now + milliseconds(10'000));
    BOOST_TEST(wheel.set(bell, now + milliseconds(100)));

    run(milliseconds(150));
    BOOST_TEST(bell.rings == 1);
}

BOOST_AUTO_TEST_CASE(what_is_cancelled_or_gone_does_not_fire) {
    Bell cancelled;
    wheel.set(cancelled, now + milliseconds(100));
    wheel.cancel(cancelled);
    {
        Bell gone;
        wheel.set(gone, now + milliseconds(100));
    }
    Bell never;
    wheel.set(never, now + milliseconds(100));
    wheel.set(never, TimePoint::max());

    run(milliseconds(1000));
    BOOST_TEST(cancelled.rings == 0);
    BOOST_TEST(never.rings == 0);
}

BOOST_AUTO_TEST_CASE(a_timer_may_set_itself_and_end_others_while_it_fires) {
    Bell first, second, third;
    first.ring = [&] {
        if (++first.rings < 3) wheel.set(first, now + milliseconds(50));
        wheel.cancel(second);
        wheel.set(third, now + milliseconds(10));
    };
    wheel.set(third, now + milliseconds(40));
    wheel.set(second, now + milliseconds(40));
    wheel.set(first, now + milliseconds(40));

    run(milliseconds(1000));
    BOOST_TEST(first.rings == 3);
    BOOST_TEST(second.rings == 0);
    BOOST_TEST(third.rings >= 1);
}

BOOST_AUTO_TEST_CASE(a_loop_that_was_away_for_long_misses_nothing) {
    std::vector<std::unique_ptr<Bell>> bells;
    for (int i = 0; i < 1000; ++i) {
        bells.push_back(std::make_unique<Bell>());
        wheel.set(*bells.back(), now + milliseconds(20 * i));
    }

    sleep(milliseconds(30'000));
    sleep(milliseconds(20));

    for (const auto& each : bells) BOOST_TEST(each->rings == 1);
    BOOST_TEST((wheel.next() == TimePoint::max()));
}

BOOST_AUTO_TEST_SUITE_END()
