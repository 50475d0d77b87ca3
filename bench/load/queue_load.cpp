/// The load of the queue bench, on an engine of its own in this process.
///
///   bench_queue_load slices FOLDER SECONDS ROUNDS   slices of raw flushes and of sends in turn, one line of JSON each
///   bench_queue_load fill FOLDER COUNT              sends COUNT messages, says "filled" and waits to be killed
///   bench_queue_load open FOLDER                    opens what there is: one line of JSON
///
/// All messages have 1 KB. A raw flush is what any durable store has to do at least: 1 KB appended to a file in the
/// same folder, then fdatasync.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "queues/engine/engine.hpp"
#include "queues/store/sqlite_store.hpp"

using namespace postbus;
using namespace postbus::queues;

namespace {

constexpr std::size_t messageSize = 1024;
const char* const queue = "bench";

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "bench_queue_load: %s\n", what.c_str());
    std::exit(1);
}

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::unique_ptr<Engine> open(const std::string& folder) {
    auto store = SqliteStore::open({.folder = folder});
    if (!store) fail(store.error().message());
    auto engine = Engine::open(std::move(*store));
    if (!engine) fail(engine.error().message());
    return std::move(*engine);
}

/// Waits for each flush; how many a second.
double rawRate(const std::string& folder, double seconds) {
    const std::string path = folder + "/raw", record(messageSize, 'r');
    const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) fail("cannot make " + path);
    const auto start = Clock::now();
    int flushes = 0;
    for (; secondsSince(start) < seconds; ++flushes) {
        if (write(file, record.data(), record.size()) != ssize_t(record.size()) || fdatasync(file) != 0)
            fail("cannot write " + path);
    }
    const double taken = secondsSince(start);
    close(file);
    unlink(path.c_str());
    return flushes / taken;
}

struct Slice {
    double rate = 0;
    std::vector<double> latencies;  // seconds, ascending
    double percentile(double part) const { return latencies[std::size_t(part * double(latencies.size() - 1))]; }
};

/// So many producers, each of which waits for the confirmation before it sends again.
Slice send(Engine& engine, int producers, double seconds) {
    std::vector<std::vector<double>> taken(static_cast<std::size_t>(producers));
    std::atomic<bool> wrong{false};
    std::vector<std::thread> threads;
    threads.reserve(taken.size());
    const auto start = Clock::now();
    for (auto& mine : taken) {
        threads.emplace_back([&engine, &mine, &wrong, start, seconds] {
            const std::string body(messageSize, 'm');
            while (secondsSince(start) < seconds) {
                Message message;
                message.body = body;
                const auto sent = Clock::now();
                std::promise<bool> confirmed;
                engine.send(queue, std::move(message),
                            [&confirmed](const Result<void>& result) { confirmed.set_value(bool(result)); });
                if (!confirmed.get_future().get()) wrong = true;
                mine.push_back(secondsSince(sent));
            }
        });
    }
    for (std::thread& each : threads) each.join();
    const double whole = secondsSince(start);
    if (wrong) fail("a send was refused");
    Slice slice;
    for (const auto& mine : taken) slice.latencies.insert(slice.latencies.end(), mine.begin(), mine.end());
    std::ranges::sort(slice.latencies);
    slice.rate = double(slice.latencies.size()) / whole;
    return slice;
}

void slices(const std::string& folder, double seconds, int rounds) {
    const auto engine = open(folder);
    if (!engine->declareQueue(queue, QueueSettings{})) fail("cannot declare the queue");
    engine->start();
    send(*engine, 64, 3 * seconds);  // the log reaches the size that it keeps
    const auto sent = [&](int producers) {
        const Slice slice = send(*engine, producers, seconds);
        std::printf(R"({"producers": %d, "rate": %.1f, "p50": %.6f, "p99": %.6f})"
                    "\n",
                    producers, slice.rate, slice.percentile(0.5), slice.percentile(0.99));
        std::fflush(stdout);
    };
    const auto raw = [&] {
        std::printf("{\"raw\": %.1f}\n", rawRate(folder, seconds));
        std::fflush(stdout);
    };
    raw();
    for (int i = 0; i < rounds; ++i) {
        for (const int producers : {1, 64}) sent(producers), raw();
    }
    if (!engine->stop()) fail("the engine did not stop");
}

void fill(const std::string& folder, int count) {
    const auto engine = open(folder);
    QueueSettings settings;
    if (!engine->declareQueue(queue, settings)) fail("cannot declare the queue");
    engine->start();
    constexpr int together = 1'000;
    for (int i = 0; i < count; i += together) {
        auto session = engine->connect();
        const TransactionId id = session->begin();
        for (int k = 0; k < std::min(together, count - i); ++k) {
            Message message;
            message.body.assign(messageSize, 'm');
            if (!session->send(id, queue, std::move(message))) fail("a send was refused");
        }
        std::promise<bool> confirmed;
        session->commit(id, [&confirmed](const Result<void>& result) { confirmed.set_value(bool(result)); });
        if (!confirmed.get_future().get()) fail("a transaction was refused");
    }
    std::puts("filled");
    std::fflush(stdout);
    for (;;) pause();
}

void openAgain(const std::string& folder) {
    const auto start = Clock::now();
    const auto engine = open(folder);
    engine->start();
    const double seconds = secondsSince(start);
    const auto status = engine->status(queue);
    if (!status) fail(status.error().message());
    std::printf("{\"seconds\": %.4f, \"messages\": %llu}\n", seconds, static_cast<unsigned long long>(status->depth()));
    if (!engine->stop()) fail("the engine did not stop");
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 4 && words[0] == "slices") {
        slices(words[1], std::atof(words[2].c_str()), std::atoi(words[3].c_str()));
    } else if (words.size() == 3 && words[0] == "fill") {
        fill(words[1], std::atoi(words[2].c_str()));
    } else if (words.size() == 2 && words[0] == "open") {
        openAgain(words[1]);
    } else {
        fail("slices FOLDER SECONDS ROUNDS | fill FOLDER COUNT | open FOLDER");
    }
}
