#include <boost/test/unit_test.hpp>

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "tests/unit/transports/http/server_fixture.hpp"

using namespace postbus;
using namespace postbus::http;

namespace {

milliseconds since(TimePoint start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

using Times = std::vector<std::chrono::microseconds>;

void callOften(RawClient& client, int calls, Times& times) {
    for (int i = 0; i < calls; ++i) {
        const TimePoint start = Clock::now();
        if (client.call(post("echo x")).status != 200) throw std::runtime_error("not answered");
        times.push_back(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start));
    }
}

/// The time within which 99 of 100 were answered.
std::chrono::microseconds slowest(Times times) {
    std::sort(times.begin(), times.end());
    return times[times.size() * 99 / 100];
}

std::chrono::microseconds slowest(RawClient& client, int calls) {
    Times times;
    callOften(client, calls, times);
    return slowest(std::move(times));
}

std::size_t anonymousMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, 8, "RssAnon:") == 0) return std::stoul(line.substr(8)) * 1024;
    return 0;
}

std::chrono::microseconds processorTime() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto time = [](const timeval& each) {
        return std::chrono::seconds(each.tv_sec) + std::chrono::microseconds(each.tv_usec);
    };
    return time(used.ru_utime) + time(used.ru_stime);
}

/// The limit of descriptors, put back at the end.
struct DescriptorLimit {
    rlimit before{};
    DescriptorLimit() { getrlimit(RLIMIT_NOFILE, &before); }
    ~DescriptorLimit() { setrlimit(RLIMIT_NOFILE, &before); }
    void set(rlim_t soft) const {
        rlimit limit = before;
        limit.rlim_cur = std::min(soft, before.rlim_max);
        BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    }
};

/// Descriptors below this one are taken.
int firstFree() {
    const int probe = dup(0);
    close(probe);
    return probe;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_load)

// A sanitizer's memory beside each block is not ours to count.
#if defined(POSTBUS_ASAN) || defined(POSTBUS_TSAN)
constexpr bool countsMemory = false;
#else
constexpr bool countsMemory = true;
#endif

BOOST_AUTO_TEST_CASE(an_idle_connection_costs_less_than_two_kilobytes, *boost::unit_test::enable_if<countsMemory>()) {
    const DescriptorLimit descriptors;
    descriptors.set(4096);
    Server server({}, 1);
    std::vector<RawClient> idle;
    idle.reserve(1100);
    const auto open = [&](int count) {
        for (int i = 0; i < count; ++i) {
            idle.push_back(server.connect());
            BOOST_REQUIRE(idle.back().call(post("echo x")).status == 200);
        }
    };
    open(100);
    malloc_trim(0);  // or what others have given back would be used up first
    const std::size_t before = anonymousMemory();
    open(1000);
    const std::size_t after = anonymousMemory();

    BOOST_TEST_MESSAGE("bytes per connection: " << (after - before) / 1000);
    BOOST_TEST(after - before < 1000u * 2048u);
    BOOST_TEST(after - before > 1000u * 200u);  // the measure measures
}

BOOST_AUTO_TEST_CASE(a_thousand_that_send_a_byte_now_and_then_slow_nobody_down) {
    const DescriptorLimit descriptors;
    descriptors.set(4096);
    Server server([](HttpConfig& config) { config.limits.headerTime = milliseconds(2'500); }, 2);
    RawClient good = server.connect();
    const auto alone = slowest(good, 300);

    std::vector<RawClient> slow;
    const std::string request = post("echo x", "X-Pad: " + std::string(200, 'x') + "\r\n");
    for (int i = 0; i < 1000; ++i) {
        slow.push_back(server.connect());
        slow.back().send(request.substr(0, 1));
    }
    Times beside;
    const TimePoint start = Clock::now();
    for (std::size_t sent = 1; since(start) < milliseconds(2'000); ++sent) {
        for (RawClient& each : slow) each.trySend(request.substr(sent % 20, 1));
        callOften(good, 100, beside);
    }

    // A bound for machines that do something else as well.
    BOOST_TEST(slowest(beside).count() < std::max<long>(1'000'000, 10 * alone.count()));
    for (RawClient& each : slow) {
        const int status = each.read().status;
        BOOST_TEST((status == 408 || status == 400));  // 400: the bytes were no request
        BOOST_TEST(each.ended());
        each.close();
    }
    BOOST_TEST(test::eventually([&] { return server.transport->figures().connections == 1; }));
    BOOST_TEST(good.call(post("echo x")).status == 200);
}

BOOST_AUTO_TEST_CASE(a_thousand_connections_at_once_are_all_answered) {
    const DescriptorLimit descriptors;
    descriptors.set(4096);
    Server server({}, 2);
    std::vector<RawClient> callers;
    for (int i = 0; i < 1000; ++i) callers.push_back(server.connect());
    for (RawClient& each : callers) each.send(post("echo x"));
    for (RawClient& each : callers) BOOST_TEST(each.read().status == 200);
}

BOOST_AUTO_TEST_CASE(without_descriptors_the_loop_waits_and_goes_on) {
    const DescriptorLimit descriptors;
    Server server({}, 1);
    RawClient old = server.connect();
    BOOST_TEST(old.call(post("echo x")).status == 200);
    // The callers have their sockets already; the server, in the same process, gets room for four more.
    std::vector<int> sockets;
    for (int i = 0; i < 20; ++i) sockets.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    descriptors.set(static_cast<rlim_t>(firstFree()) + 4);
    std::vector<RawClient> waiting;
    for (const int each : sockets) waiting.emplace_back(server.address, 0, each);
    for (RawClient& each : waiting) each.send(post("echo waiting"));

    const auto usedBefore = processorTime();
    const TimePoint start = Clock::now();
    std::this_thread::sleep_for(milliseconds(600));
    const auto used = processorTime() - usedBefore;
    BOOST_TEST(used.count() < 120'000);  // under a fifth of one core
    BOOST_TEST(old.call(post("echo still")).body == "echo still");
    BOOST_TEST((since(start) < milliseconds(5'000)));
    BOOST_TEST(server.transport->figures().accepted <= 1u + 4u);

    descriptors.set(descriptors.before.rlim_cur);
    const TimePoint raised = Clock::now();
    for (RawClient& each : waiting) BOOST_TEST(each.read().body == "echo waiting");
    BOOST_TEST((since(raised) < milliseconds(1'000)));
}

BOOST_AUTO_TEST_CASE(clients_that_go_away_while_their_answer_is_written_harm_nobody) {
    const DescriptorLimit descriptors;
    descriptors.set(4096);
    Server server({}, 2);
    RawClient good = server.connect();
    BOOST_TEST(good.call(post("echo x")).status == 200);
    const int before = firstFree();
    for (int i = 0; i < 200; ++i) {
        RawClient gone(server.address, 4096);
        gone.send(post("big 5000000"));
        if (i % 2) std::this_thread::sleep_for(milliseconds(1));
        if (i % 3)
            gone.reset();
        else
            gone.close();
    }
    BOOST_TEST(good.call(post("echo x")).status == 200);
    BOOST_TEST(test::eventually([&] { return server.transport->figures().connections == 1; }));
    BOOST_TEST(firstFree() == before);
    // One whose caller left early ends when its holder does, maybe behind its connection.
    BOOST_TEST(test::eventually([&] { return server.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE(one_that_pipelines_without_end_leaves_others_their_turn) {
    Server server({}, 1);
    std::atomic<bool> stop{false};
    std::thread flood([&] {
        RawClient greedy = server.connect();
        std::string many;
        for (int i = 0; i < 2000; ++i) many += post("echo x");
        std::thread reader([&] {
            try {
                for (;;) (void)greedy.read();
            } catch (const std::exception&) {
            }
        });
        while (!stop && greedy.trySend(many)) continue;
        greedy.finishSending();
        reader.join();
    });
    RawClient good = server.connect();
    std::this_thread::sleep_for(milliseconds(50));
    const auto beside = slowest(good, 200);
    stop = true;
    flood.join();
    BOOST_TEST(beside.count() < 5'000'000);
}

BOOST_AUTO_TEST_SUITE_END()
