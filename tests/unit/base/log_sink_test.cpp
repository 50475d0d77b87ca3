#include "base/log/sink.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/log/event.hpp"

using namespace postbus;

namespace {

/// A pipe that nobody reads unless told to.
struct Pipe {
    int ends[2];
    Pipe() { BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0); }
    ~Pipe() {
        close(ends[0]);
        close(ends[1]);
    }
    std::string read() const {
        std::string all;
        char bytes[4096];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        for (ssize_t got; (got = ::read(ends[0], bytes, sizeof bytes)) > 0;)
            all.append(bytes, static_cast<std::size_t>(got));
        return all;
    }
};

std::size_t linesOf(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

constexpr log::Event Happened{"test.happened", log::Level::Info, "For this test."};

}  // namespace

BOOST_AUTO_TEST_SUITE(log_sink)

BOOST_AUTO_TEST_CASE(drops_and_counts_what_nobody_reads) {
    const Pipe pipe;
    log::Sink sink;
    sink.use(pipe.ends[1]);
    const std::string line = std::string(99, 'x') + '\n';
    for (int i = 0; i < 2'000; ++i) sink.write(line);
    BOOST_TEST(sink.takeDropped() == 0u);  // nobody could be told of it yet

    const std::string there = pipe.read();
    const std::size_t kept = linesOf(there);
    BOOST_TEST(kept > 100u);
    BOOST_TEST(there.size() == 100 * kept);
    BOOST_TEST(sink.takeDropped() == 2'000 - kept);
    BOOST_TEST(sink.takeDropped() == 0u);
}

BOOST_AUTO_TEST_CASE(parts_many_lines_where_one_ends) {
    const Pipe pipe;
    log::Sink sink;
    sink.use(pipe.ends[1]);
    std::string lines;
    for (int i = 0; i < 3'000; ++i) lines += "line " + std::to_string(i) + '\n';
    for (int i = 0; i < 4; ++i) sink.write(lines);
    const std::string there = pipe.read();
    BOOST_TEST(there.ends_with('\n'));
    BOOST_TEST(there == (lines + lines + lines + lines).substr(0, there.size()));
    BOOST_TEST(sink.takeDropped() == 12'000 - linesOf(there));
}

BOOST_AUTO_TEST_CASE(what_comes_after_a_line_that_was_cut_begins_a_line) {
    const Pipe pipe;
    log::Sink sink;
    sink.use(pipe.ends[1]);
    sink.write(std::string(1'000'000, 'y') + '\n');
    BOOST_TEST(pipe.read().find_first_not_of('y') == std::string::npos);
    sink.write("next\n");
    BOOST_TEST(pipe.read() == "\nnext\n");
    BOOST_TEST(sink.takeDropped() == 1u);
}

BOOST_AUTO_TEST_CASE(writers_at_once_lose_no_line_without_counting_it) {
    const Pipe pipe;
    log::Sink sink;
    sink.use(pipe.ends[1]);
    std::atomic<bool> done{false};
    std::string all;
    std::thread reader([&] {
        while (!done) all += pipe.read();
        all += pipe.read();
    });
    std::vector<std::thread> writers;
    for (int t = 0; t < 4; ++t)
        writers.emplace_back([&sink, t] {
            const std::string line = std::string(200, static_cast<char>('a' + t)) + '\n';
            for (int i = 0; i < 2'000; ++i) sink.write(line);
        });
    for (auto& each : writers) each.join();
    done = true;
    reader.join();
    BOOST_TEST(linesOf(all) + sink.takeDropped() == 8'000u);
    BOOST_TEST(all.size() == 201 * linesOf(all));
}

BOOST_AUTO_TEST_CASE(the_log_says_what_it_has_dropped) {
    const Pipe pipe;
    log::configure({.format = log::Format::Text, .level = log::Level::Info, .descriptor = pipe.ends[1]});
    for (int i = 0; i < 2'000; ++i) log::emit(Happened, {{"padding", std::string(100, 'p')}});
    const std::size_t kept = linesOf(pipe.read());
    log::emit(Happened, {});
    const std::string after = pipe.read();
    log::configure({.format = log::Format::Text, .level = log::Level::Error, .descriptor = 2});
    BOOST_TEST(linesOf(after) == 2u);
    BOOST_TEST(after.find("test.happened") != std::string::npos);
    BOOST_TEST(after.find("warning log.dropped lines=" + std::to_string(2'000 - kept)) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
