#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>

#include "core/message/body_pipe.hpp"

using namespace postbus;
using core::BodyPipe;

namespace {

/// Puts in what it has, piece by piece, whenever there is room.
struct Source final : BodyPipe::Producer {
    explicit Source(BodyPipe& to) : pipe(to) { pipe.producedBy(this); }
    void onRoom() override {
        ++asked;
        pump();
    }
    void onClosed() override { ++closed; }
    void pump() {
        while (pipe.wants() && at < text.size()) {
            const std::size_t size = std::min(piece, text.size() - at);
            std::memcpy(pipe.prepare(), text.data() + at, size);
            at += size;
            pipe.added(size);
        }
        if (at == text.size()) pipe.end();
    }
    BodyPipe& pipe;
    std::string text;
    std::size_t piece = 4, at = 0;
    int asked = 0, closed = 0;
};

/// Takes out what there is, but no more than it may.
struct Drain final : BodyPipe::Reader {
    explicit Drain(BodyPipe& from) : pipe(from) { pipe.readBy(this); }
    void onBody() override {
        ++told;
        BOOST_TEST(!within);
        within = true;
        while (!pipe.peek().empty() && taken.size() < most) {
            const std::string_view piece = pipe.peek().substr(0, most - taken.size());
            taken += piece;
            pipe.consume(piece.size());
        }
        within = false;
    }
    BodyPipe& pipe;
    std::string taken;
    std::size_t most = SIZE_MAX;
    int told = 0;
    bool within = false;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(body_pipe)

BOOST_AUTO_TEST_CASE(passes_all_bytes_in_order_and_then_the_end) {
    BodyPipe pipe;
    Source source(pipe);
    Drain drain(pipe);
    source.text = "the quick brown fox";

    source.pump();

    BOOST_TEST(drain.taken == source.text);
    BOOST_TEST((pipe.state() == BodyPipe::State::Ended));
    BOOST_TEST(source.asked == 0);  // it was at work: nobody called it within its own call
}

BOOST_AUTO_TEST_CASE(a_reader_that_stops_stops_the_producer_and_starts_it_again) {
    BodyPipe pipe;
    Source source(pipe);
    Drain drain(pipe);
    source.text = "the quick brown fox";
    drain.most = 6;

    source.pump();
    BOOST_TEST(source.at == 8u);  // two pieces, of which one is half taken
    BOOST_TEST((pipe.state() == BodyPipe::State::Open));
    drain.most = SIZE_MAX;
    drain.onBody();

    BOOST_TEST(drain.taken == source.text);
    BOOST_TEST(source.asked > 0);
    BOOST_TEST((pipe.state() == BodyPipe::State::Ended));
}

BOOST_AUTO_TEST_CASE(a_failure_comes_behind_the_bytes_before_it) {
    BodyPipe pipe;
    Drain drain(pipe);
    drain.most = 0;
    std::memcpy(pipe.prepare(), "ab", 2);
    pipe.added(2);
    pipe.fail(Error(Error::Kind::BadGateway, "gone"));

    BOOST_TEST((pipe.state() == BodyPipe::State::Open));
    pipe.consume(2);
    BOOST_TEST((pipe.state() == BodyPipe::State::Failed));
    BOOST_TEST(pipe.error().message() == "gone");
}

BOOST_AUTO_TEST_CASE(one_that_nobody_reads_tells_its_producer_once) {
    BodyPipe pipe;
    Source source(pipe);
    source.text = "more than one piece";
    source.pump();

    pipe.close();
    pipe.close();

    BOOST_TEST(source.closed == 1);
    BOOST_TEST(!pipe.wants());
}

BOOST_AUTO_TEST_CASE(after_the_end_the_producer_is_not_called_any_more) {
    BodyPipe pipe;
    Source source(pipe);
    source.text = "a";
    source.pump();

    pipe.consume(1);
    pipe.close();

    BOOST_TEST(source.asked == 0);
    BOOST_TEST(source.closed == 0);
}

BOOST_AUTO_TEST_SUITE_END()
