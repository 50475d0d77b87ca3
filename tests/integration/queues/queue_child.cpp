/// The program that kill_test.py and faults_test.py run, and kill: an engine over a SQLite store, driven by lines on
/// standard input or by itself.
///
///   test_queue_child load FOLDER SENDERS CONSUMERS SEED   sends and acknowledges until it is killed
///   test_queue_child drain FOLDER                         takes everything out, then ends
///   test_queue_child steps FOLDER                         one command a line: send BODY, take, status, quit
///
/// What it prints is flushed line by line with one write each, so that a line that came is a promise that was made.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <iostream>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "queues/engine/engine.hpp"
#include "queues/store/sqlite_store.hpp"

using namespace postbus;
using namespace postbus::queues;

namespace {

void print(const std::string& line) {
    const std::string whole = line + "\n";
    if (write(1, whole.data(), whole.size()) < 0) _exit(3);
}

Message message(std::string body) {
    Message made;
    made.body = std::move(body);
    return made;
}

std::unique_ptr<Engine> open(const std::string& folder) {
    auto store = SqliteStore::open({.folder = folder, .logPages = 300, .reserve = 4_MiB});
    if (!store) {
        print("error " + store.error().message());
        _exit(2);
    }
    auto engine = Engine::open(std::move(*store));
    if (!engine) {
        print("error " + engine.error().message());
        _exit(2);
    }
    return std::move(*engine);
}

/// Attempts lines before, confirmations after: sending, sent, acking, acked; got with the redelivered flag.
class Load {
public:
    explicit Load(const std::string& folder) : engine_(open(folder)) {
        QueueSettings settings;
        settings.maxDeliveries = 3;
        settings.redeliveryDelay = milliseconds(5);
        settings.memory = ByteSize{20'000};
        if (!engine_->declareQueue("q", settings)) _exit(2);
        engine_->start();
    }

    [[noreturn]] void run(int senders, int consumers, unsigned seed) {
        std::vector<std::thread> threads;
        threads.reserve(64);
        for (int s = 0; s < senders; ++s) threads.emplace_back([this, s, seed] { send(s, seed); });
        for (int c = 0; c < consumers; ++c) threads.emplace_back([this, c, seed] { consume(c, seed); });
        for (auto& each : threads) each.join();
        _exit(0);
    }

private:
    void send(int sender, unsigned seed) {
        auto session = engine_->connect("sender");
        std::mt19937 random(seed * 100 + static_cast<unsigned>(sender));
        for (int i = 0;; ++i) {
            const std::string name = std::to_string(seed) + "." + std::to_string(sender) + "." + std::to_string(i);
            const bool pair = random() % 8 == 0;
            print("sending " + name + (pair ? " pair" : ""));
            std::promise<bool> done;
            const auto confirm = [&done](const Result<void>& result) { done.set_value(bool(result)); };
            const std::string body = name + std::string(random() % 3000, ' ');
            if (pair) {  // two queues at once or not at all
                const TransactionId id = session->begin();
                static_cast<void>(session->send(id, "q", message(body)));
                static_cast<void>(session->send(id, "pairs", message(name)));
                session->commit(id, confirm);
            } else {
                session->send("q", message(body), confirm);
            }
            if (!done.get_future().get()) _exit(4);
            print("sent " + name);
        }
    }

    void consume(int number, unsigned seed) {
        std::mutex mutex;
        std::condition_variable wake;
        std::deque<Delivery> inbox;
        std::mt19937 random(seed * 1000 + static_cast<unsigned>(number));
        auto session = engine_->connect("consumer");
        auto consumer = session->consume("q", {.prefetch = 20}, [&](Delivery delivery) {
            std::lock_guard lock(mutex);
            inbox.push_back(std::move(delivery));
            wake.notify_one();
        });
        for (;;) {
            std::unique_lock lock(mutex);
            wake.wait(lock, [&] { return !inbox.empty(); });
            const Delivery delivery = std::move(inbox.front());
            inbox.pop_front();
            lock.unlock();
            const std::string name = delivery.message->body.substr(0, delivery.message->body.find(' '));
            print("got " + name + (delivery.redelivered ? " again" : " first"));
            if (random() % 20 == 0) {
                static_cast<void>(session->fail(*consumer, delivery.tag, "at random"));
                continue;
            }
            print("acking " + name);
            session->acknowledge(*consumer, delivery.tag, [name](const Result<void>& result) {
                if (result) print("acked " + name);
            });
        }
    }

    std::unique_ptr<Engine> engine_;
};

/// Prints what is in each queue, in the order of delivery, and takes it out.
void drain(const std::string& folder) {
    auto engine = open(folder);
    engine->start();
    auto session = engine->connect("drain");
    for (const char* queue : {"q", "pairs", "DLQ.q"}) {
        std::atomic<int> taken{0};
        const auto consumer = session->consume(queue, {}, [&, queue](const Delivery& delivery) {
            const std::string& body = delivery.message->body;
            print(std::string("left ") + queue + " " + body.substr(0, body.find(' ')) +
                  (delivery.redelivered ? " again" : " first"));
            session->acknowledge(delivery.consumer, delivery.tag, [&taken](const Result<void>&) { ++taken; });
        });
        if (!consumer) _exit(2);
        while (engine->status(queue)->depth() != 0) std::this_thread::sleep_for(milliseconds(2));
        session->cancel(*consumer);
    }
    if (auto stopped = engine->stop(); !stopped) print("error " + stopped.error().message());
    print("drained");
}

void steps(const std::string& folder) {
    auto engine = open(folder);
    engine->start();
    auto session = engine->connect("steps");
    print("open");
    std::string line;
    while (std::getline(std::cin, line) && line != "quit") {
        std::promise<std::string> outcome;
        if (line.starts_with("send ")) {
            const std::size_t size = std::stoul(line.substr(5));
            engine->send("q", message(std::string(size, 'x')), [&](const Result<void>& result) {
                outcome.set_value(result ? "sent" : "refused " + result.error().message());
            });
        } else if (line == "take") {
            // The one consumer lives for one message. Its handler may be called once more than that.
            const auto answer = std::make_shared<std::promise<std::string>>();
            const auto first = std::make_shared<std::atomic<bool>>(true);
            Session& all = *session;
            const auto consumer =
                session->consume("q", {.prefetch = 1}, [answer, first, &all](const Delivery& delivery) {
                    if (!first->exchange(false)) return;
                    all.acknowledge(delivery.consumer, delivery.tag, [answer](const Result<void>& result) {
                        answer->set_value(result ? "taken" : "refused " + result.error().message());
                    });
                });
            auto future = answer->get_future();
            const bool came = future.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
            print(came ? future.get() : "nothing");
            if (consumer) session->cancel(*consumer);
            if (!came) _exit(5);
            continue;
        } else {
            const char* names[] = {"open", "full", "failed"};
            outcome.set_value(std::string(names[static_cast<int>(engine->storeState())]) + " " +
                              std::to_string(engine->status("q") ? engine->status("q")->depth() : 0));
        }
        print(outcome.get_future().get());
    }
    if (auto stopped = engine->stop(); !stopped) print("error " + stopped.error().message());
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 2 ? argv[1] : "";
    if (mode == "load" && argc == 6)
        Load(argv[2]).run(std::stoi(argv[3]), std::stoi(argv[4]), static_cast<unsigned>(std::stoul(argv[5])));
    if (mode == "drain") drain(argv[2]);
    if (mode == "steps") steps(argv[2]);
    return mode.empty() ? 64 : 0;
}
