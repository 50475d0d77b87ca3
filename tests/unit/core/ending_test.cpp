#include <boost/test/unit_test.hpp>

#include <atomic>
#include <random>

#include "tests/unit/core/bus_fixture.hpp"

using namespace postbus;
using namespace postbus::core;

namespace {

/// Answers what it was given at some time, from a thread of its own.
class LateAnswers {
public:
    LateAnswers() : thread_([this] { run(); }) {}
    ~LateAnswers() {
        {
            std::lock_guard lock(mutex_);
            stopping_ = true;
            wake_.notify_all();
        }
        thread_.join();
    }
    void give(std::function<void()> task) {
        std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        wake_.notify_all();
    }

private:
    void run() {
        std::unique_lock lock(mutex_);
        while (!stopping_ || !tasks_.empty()) {
            if (tasks_.empty()) {
                wake_.wait(lock);
                continue;
            }
            auto task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    std::thread thread_;
};

/// Exchanges that were not taken back exactly once: counted here, since Boost.Test is for the main thread.
std::atomic<int> takenWrongly{0};

/// All that an endpoint may do with an exchange, right or wrong.
void misbehave(unsigned how, ExchangePtr exchange, LateAnswers& late) {
    const auto held = std::make_shared<ExchangePtr>();
    switch (how % 8) {
        case 0:
            exchange->draft().bytes.append("now");
            return Exchange::reply(std::move(exchange));
        case 1:
            return Exchange::fail(std::move(exchange), Error::invalid("no"));
        case 2:
            return exchange.reset();  // forgets it
        case 3: {                     // answers twice
            postbus_call* call = Exchange::lend(std::move(exchange));
            std::atomic<int> taken{0};
            std::thread other([&] {
                if (ExchangePtr mine = Exchange::reclaim(call)) ++taken, Exchange::reply(std::move(mine));
            });
            other.join();
            if (taken != 1) ++takenWrongly;
            return;
        }
        case 4:
            return late.give([raw = exchange.release()] {
                raw->draft().bytes.append("later");
                Exchange::reply(ExchangePtr(raw));
            });
        case 5:
            return late.give([raw = exchange.release()] { Exchange::fail(ExchangePtr(raw), Error::internal("late")); });
        case 6:
            return late.give([raw = exchange.release()] { ExchangePtr(raw).reset(); });
        default:
            return late.give([raw = exchange.release()] {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                Exchange::reply(ExchangePtr(raw));
            });
    }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ending, BusFixture)

BOOST_AUTO_TEST_CASE(comes_exactly_once_whatever_the_endpoint_and_the_caller_do) {
    const unsigned seed = std::random_device()();
    BOOST_TEST_CONTEXT("seed " << seed) {
        std::mt19937 random(seed);
        std::atomic<unsigned> nextHow{0};
        LateAnswers late;
        endpoint->onProcess = [&](ExchangePtr exchange) { misbehave(nextHow++, std::move(exchange), late); };
        const char* const operations[] = {"now",    "pooled",        "only",     "only-pooled",
                                          "robust", "robust-pooled", "optional", "optional-pooled"};
        struct Asked {
            Caller caller;
            ExchangeRef ref;
            int leaves;  // 0 waits, 1 the deadline passes, 2 the caller goes
            bool gone = false;
        };
        std::deque<Asked> all;
        constexpr int exchanges = 3'000;

        for (int i = 0; i < exchanges; ++i) {
            Asked& each = all.emplace_back();
            each.leaves = static_cast<int>(random() % 3);
            each.ref = ask(each.caller, operations[random() % std::size(operations)]);
            if (Asked& some = all[random() % all.size()]; some.ref.open() && some.leaves) {
                some.gone = some.leaves == 2;
                some.leaves == 1 ? some.ref.expire(Error(Error::Kind::Timeout, "late")) : some.ref.abandon();
            }
            while (pool.counters().open > 50) loop.turn();
        }
        while (pool.counters().open > 0) loop.turn();

        BOOST_TEST(takenWrongly == 0);
        for (const Asked& each : all) BOOST_TEST(each.caller.answers == (each.gone ? 0 : 1));
        BOOST_TEST(pool.counters().begun == static_cast<std::uint64_t>(exchanges));
        BOOST_TEST(pool.counters().open == 0);
        pool.forEachOpen([](const Exchange&) { BOOST_ERROR("an exchange is still open"); });
    }
}

BOOST_AUTO_TEST_SUITE_END()
