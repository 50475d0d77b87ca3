#include <condition_variable>
#include <future>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "queues/store/sqlite_store.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/unit/queues/engine/engine_rig.hpp"

/// Many threads on one engine over the real store. What Boost.Test checks is gathered and checked on the test's thread.
using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

namespace {

std::unique_ptr<Engine> open(const std::string& folder, EngineSettings settings = {}) {
    auto store = SqliteStore::open({.folder = folder, .logPages = 500, .reserve = 64_KiB});
    BOOST_REQUIRE_MESSAGE(store, (store ? "" : store.error().message()));
    auto engine = Engine::open(std::move(*store), std::move(settings));
    BOOST_REQUIRE(engine);
    return std::move(*engine);
}

bool sendAndWait(Session& session, std::string_view queue, std::string body) {
    std::promise<bool> sent;
    session.send(queue, message(std::move(body)),
                 [&sent](const Result<void>& result) { sent.set_value(bool(result)); });
    return sent.get_future().get();
}

/// Takes messages and answers each as it likes, until all have been acknowledged.
class Worker {
public:
    Worker(Engine& engine, unsigned seed) : session_(engine.connect("worker")), random_(seed) {
        auto consumer = session_->consume("q", {.prefetch = 7}, [this](Delivery delivery) {
            std::lock_guard lock(mutex_);
            inbox_.push_back(std::move(delivery));
            wake_.notify_one();
        });
        if (!consumer) std::abort();
        consumer_ = *consumer;
    }
    /// Until `left` is none.
    void work(std::atomic<int>& left) {
        while (left > 0) {
            std::unique_lock lock(mutex_);
            if (!wake_.wait_for(lock, milliseconds(20), [this] { return !inbox_.empty(); })) continue;
            Delivery delivery = std::move(inbox_.front());
            inbox_.pop_front();
            lock.unlock();
            const unsigned choice = random_() % 10;
            if (choice == 0) {
                static_cast<void>(session_->release(consumer_, delivery.tag));
            } else if (choice == 1) {
                static_cast<void>(session_->fail(consumer_, delivery.tag, "at random"));
            } else {
                session_->acknowledge(consumer_, delivery.tag,
                                      [this, &left, body = delivery.message->body](const Result<void>& result) {
                                          if (!result) return;
                                          std::lock_guard hold(done_);
                                          acknowledged_.push_back(body);
                                          --left;
                                      });
            }
        }
    }
    std::vector<std::string> acknowledged() {
        std::lock_guard hold(done_);
        return acknowledged_;
    }

private:
    std::mutex mutex_, done_;
    std::condition_variable wake_;
    std::deque<Delivery> inbox_;
    std::vector<std::string> acknowledged_;
    std::unique_ptr<Session> session_;
    ConsumerId consumer_ = 0;
    std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(threads)

BOOST_AUTO_TEST_CASE(lose_and_repeat_nothing) {
    constexpr int kSenders = 8, kEach = 60;
    postbus::test::ScratchFolder folder;
    auto engine = open(folder / "q");
    QueueSettings settings;
    settings.maxDeliveries = 0;
    settings.redeliveryDelay = milliseconds(1);
    settings.maxRedeliveryDelay = milliseconds(3);
    settings.memory = 4000_B;
    BOOST_REQUIRE(engine->declareQueue("q", settings));
    engine->start();
    std::atomic<int> left{kSenders * kEach}, refused{0};
    std::vector<std::unique_ptr<Worker>> workers;
    std::vector<std::thread> threads;
    threads.reserve(16);
    for (unsigned i = 0; i < 4; ++i) workers.push_back(std::make_unique<Worker>(*engine, i));
    for (auto& each : workers) threads.emplace_back([&] { each->work(left); });
    for (int s = 0; s < kSenders; ++s)
        threads.emplace_back([&, s] {
            auto session = engine->connect("sender");
            for (int i = 0; i < kEach; ++i)
                if (!sendAndWait(*session, "q", std::to_string(s * 1000 + i))) ++refused;
        });
    std::thread looker([&] {
        while (left > 0) {
            static_cast<void>(engine->status());
            static_cast<void>(engine->browse("q", {.limit = 10, .bodies = true}));
            std::this_thread::sleep_for(milliseconds(1));
        }
    });
    for (auto& each : threads) each.join();
    looker.join();

    BOOST_TEST(refused == 0);
    std::multiset<std::string> all;
    for (auto& each : workers)
        for (const std::string& body : each->acknowledged()) all.insert(body);
    BOOST_TEST(all.size() == static_cast<std::size_t>(kSenders * kEach));
    for (const std::string& each : all) BOOST_REQUIRE_EQUAL(all.count(each), 1u);
    BOOST_TEST(engine->status("q")->depth() == 0u);
    workers.clear();
    BOOST_TEST(bool(engine->stop()));
}

BOOST_AUTO_TEST_CASE(keep_the_order_of_each_sender) {
    constexpr int kSenders = 6, kEach = 80;
    postbus::test::ScratchFolder folder;
    auto engine = open(folder / "q");
    engine->start();
    std::mutex mutex;
    std::map<std::string, std::vector<int>> seen;
    std::atomic<int> left{kSenders * kEach};
    auto session = engine->connect("reader");
    BOOST_REQUIRE(session->consume("q", {.automatic = true}, [&](const Delivery& delivery) {
        std::lock_guard lock(mutex);
        seen[delivery.message->userId].push_back(std::stoi(delivery.message->body));
        --left;
    }));
    std::vector<std::thread> threads;
    threads.reserve(16);
    for (int s = 0; s < kSenders; ++s)
        threads.emplace_back([&, s] {
            for (int i = 0; i < kEach; ++i) {
                Message each = message(std::to_string(i));
                each.userId = std::to_string(s);
                engine->send("q", each, [](const Result<void>&) {});  // without waiting
            }
        });
    for (auto& each : threads) each.join();
    while (left > 0) std::this_thread::sleep_for(milliseconds(1));

    std::lock_guard lock(mutex);
    BOOST_TEST(seen.size() == static_cast<std::size_t>(kSenders));
    for (const auto& [sender, numbers] : seen) BOOST_TEST(std::is_sorted(numbers.begin(), numbers.end()), sender);
}

BOOST_AUTO_TEST_CASE(see_messages_expire_in_queues_that_nobody_takes_from) {
    const postbus::test::ScratchFolder folder;
    const auto engine = open(folder / "queues");
    engine->start();
    const auto session = engine->connect("client");
    BOOST_TEST(sendAndWait(*session, "q", "for ever"));  // now the thread has nothing to do
    Message fleeting = message("fleeting");
    fleeting.timeToLive = milliseconds(30);
    std::promise<bool> sent;
    session->send("q", fleeting, [&sent](const Result<void>& result) { sent.set_value(bool(result)); });
    BOOST_TEST(sent.get_future().get());

    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (engine->status("q")->depth() > 1 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(milliseconds(2));

    BOOST_TEST(engine->status("q")->expired == 1u);
    BOOST_TEST(engine->status("q")->depth() == 1u);
}

BOOST_AUTO_TEST_CASE(may_go_while_others_are_at_work) {
    postbus::test::ScratchFolder folder;
    for (int round = 0; round < 5; ++round) {
        auto engine = open(folder / "q");
        engine->start();
        std::atomic<bool> stop{false};
        std::atomic<int> answered{0}, asked{0};
        std::vector<std::thread> threads;
        threads.reserve(16);
        for (int s = 0; s < 3; ++s)
            threads.emplace_back([&] {
                auto session = engine->connect("s");
                while (!stop) {
                    auto consumer = session->consume("q", {.automatic = true}, [](const Delivery&) {});
                    for (int i = 0; i < 5; ++i) {
                        ++asked;
                        session->send("q", message("m"), [&answered](const Result<void>&) { ++answered; });
                    }
                    if (consumer) session->cancel(*consumer);
                    auto temporary = session->temporaryQueue();
                    if (temporary) session->send(*temporary, message("t"), [](const Result<void>&) {});
                    session = engine->connect("s");
                }
            });
        std::this_thread::sleep_for(milliseconds(60));
        if (round % 2 == 0) BOOST_TEST(bool(engine->stop()));
        stop = true;
        for (auto& each : threads) each.join();
        engine.reset();
        BOOST_TEST(answered == asked);
    }
}

BOOST_AUTO_TEST_SUITE_END()
