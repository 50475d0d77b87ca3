#include "admin/handover.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/port_caller.hpp"

using namespace postbus;
using PipeState = core::BodyPipe::State;

namespace {

/// A connection: takes what comes, as much as it has room for.
class Taking final : public core::BodyPipe::Reader {
public:
    explicit Taking(std::shared_ptr<core::BodyPipe> stream) : pipe(std::move(stream)) { pipe->readBy(this); }

    void onBody() override { take(); }
    bool delivered() const override { return read; }
    void take() {
        while (!pipe->peek().empty() && got.size() < room) {
            const std::size_t size = std::min(pipe->peek().size(), room - got.size());
            got.append(pipe->peek().substr(0, size));
            pipe->consume(size);
        }
    }
    void makeRoom(std::size_t bytes) {
        room = bytes;
        take();
    }
    void goAway() {
        pipe->close();
        pipe.reset();
    }

    std::shared_ptr<core::BodyPipe> pipe;
    std::string got;
    std::size_t room = SIZE_MAX;
    bool read = true;  ///< by the caller
};

/// A confirmation that a test gives, and a mark of whether it is held.
struct Confirmation {
    std::shared_ptr<int> held = std::make_shared<int>();
    std::function<void(Result<void>)> asked;

    admin::Handover::Confirm hook() {
        return [this, kept = held](std::function<void(Result<void>)> done) { asked = std::move(done); };
    }
    bool isHeld() const { return held.use_count() > 1; }
    void give(Result<void> result) { std::exchange(asked, nullptr)(std::move(result)); }
};

struct Sending {
    explicit Sending(std::string body, bool confirmed = true)
        : content(std::make_shared<const std::string>(std::move(body))) {
        auto made = admin::Handover::make(loop, {content, *content},
                                          confirmed ? confirmation.hook() : admin::Handover::Confirm());
        handover = std::move(made.handover);
        length = made.stream->length();
        connection.emplace(std::move(made.stream));
    }
    void begin() {
        loop.post([its = std::move(handover)] { its->begin(); });
        loop.run();
    }

    test::ThisThread loop;
    std::shared_ptr<const std::string> content;
    Confirmation confirmation;
    std::shared_ptr<admin::Handover> handover;
    std::optional<std::uint64_t> length;
    std::optional<Taking> connection;
};

std::string patterned(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7);
    return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(handover)

BOOST_AUTO_TEST_CASE(the_last_byte_follows_the_confirmation) {
    for (const std::size_t size : {1u, 2u, 65535u, 65536u, 65537u, 65538u, 300000u}) {
        Sending sending(patterned(size));

        sending.begin();
        BOOST_TEST(sending.connection->got.size() == size - 1);
        BOOST_TEST((sending.connection->pipe->state() == PipeState::Open));
        BOOST_REQUIRE(sending.confirmation.asked);
        sending.confirmation.give(ok());
        sending.loop.run();

        BOOST_TEST(sending.connection->got == *sending.content);
        BOOST_TEST((sending.connection->pipe->state() == PipeState::Ended));
        BOOST_TEST(!sending.confirmation.isHeld());
        BOOST_TEST(sending.length.value() == size);
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_confirmed_before_the_connection_has_taken_all_but_the_last_byte) {
    Sending sending(patterned(200'000));
    sending.connection->room = 1000;
    sending.begin();
    sending.connection->makeRoom(199'998);
    sending.loop.run();
    BOOST_TEST(!sending.confirmation.asked);

    sending.connection->makeRoom(199'999);
    sending.loop.run();

    BOOST_TEST(static_cast<bool>(sending.confirmation.asked));
}

BOOST_AUTO_TEST_CASE(nothing_is_confirmed_before_the_caller_has_read_all_but_the_last_byte) {
    Sending sending(patterned(1000));
    sending.connection->read = false;
    sending.begin();
    BOOST_TEST(sending.connection->got.size() == 999u);
    BOOST_TEST(!sending.confirmation.asked);
    BOOST_TEST(sending.confirmation.isHeld());

    sending.connection->read = true;
    sending.loop.wheel.advance(Clock::now() + milliseconds(100));
    BOOST_REQUIRE(sending.confirmation.asked);
    sending.confirmation.give(ok());
    sending.loop.run();
    BOOST_TEST(sending.connection->got == *sending.content);
}

BOOST_AUTO_TEST_CASE(a_caller_that_goes_after_many_looks_is_not_confirmed) {
    Sending sending(patterned(1000));
    sending.connection->read = false;
    sending.begin();
    sending.loop.wheel.advance(Clock::now() + milliseconds(100));
    BOOST_TEST(!sending.confirmation.asked);
    BOOST_TEST(sending.confirmation.isHeld());
    sending.connection->goAway();
    BOOST_TEST(!sending.confirmation.isHeld());
}

BOOST_AUTO_TEST_CASE(a_caller_that_goes_without_having_read_is_not_confirmed) {
    Sending sending(patterned(1000));
    sending.connection->read = false;
    sending.begin();
    sending.connection->goAway();
    sending.loop.run();
    BOOST_TEST(!sending.confirmation.asked);
    BOOST_TEST(!sending.confirmation.isHeld());
}

BOOST_AUTO_TEST_CASE(a_body_without_bytes_waits_with_its_end) {
    Sending sending("");
    BOOST_TEST(!sending.length.has_value());

    sending.begin();
    BOOST_TEST((sending.connection->pipe->state() == PipeState::Open));
    BOOST_REQUIRE(sending.confirmation.asked);
    sending.confirmation.give(ok());
    sending.loop.run();

    BOOST_TEST((sending.connection->pipe->state() == PipeState::Ended));
}

BOOST_AUTO_TEST_CASE(a_confirmation_that_fails_cuts_the_answer) {
    Sending sending("twelve bytes");
    sending.begin();

    sending.confirmation.give(Error::internal("the disk"));
    sending.loop.run();

    BOOST_TEST(sending.connection->got == "twelve byte");
    BOOST_TEST((sending.connection->pipe->state() == PipeState::Failed));
    BOOST_TEST(!sending.confirmation.isHeld());
}

BOOST_AUTO_TEST_CASE(a_caller_that_goes_before_is_not_confirmed) {
    Sending sending(patterned(200'000));
    sending.connection->room = 1000;
    sending.begin();
    BOOST_TEST(sending.confirmation.isHeld());

    sending.connection->goAway();
    sending.loop.run();

    BOOST_TEST(!sending.confirmation.asked);
    BOOST_TEST(!sending.confirmation.isHeld());
    BOOST_TEST(sending.content.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(one_that_is_seen_to_have_gone_after_it_was_sent_to_is_not_confirmed) {
    Sending sending("x");
    sending.loop.post([&] {
        // The loop looks at its connections between two rounds of tasks.
        sending.handover->begin();
        sending.handover.reset();
        sending.connection->goAway();
    });

    sending.loop.run();

    BOOST_TEST(!sending.confirmation.asked);
    BOOST_TEST(!sending.confirmation.isHeld());
}

BOOST_AUTO_TEST_CASE(one_that_goes_while_it_is_being_confirmed_changes_nothing) {
    Sending sending("twelve bytes");
    sending.begin();
    sending.connection->goAway();
    BOOST_TEST(sending.confirmation.isHeld());

    sending.confirmation.give(ok());
    sending.loop.run();

    BOOST_TEST(!sending.confirmation.isHeld());
    BOOST_TEST(sending.content.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(an_answer_that_was_never_given_is_not_confirmed) {
    Sending sending("");
    sending.connection.reset();

    sending.begin();

    BOOST_TEST(!sending.confirmation.asked);
    BOOST_TEST(!sending.confirmation.isHeld());
}

BOOST_AUTO_TEST_CASE(without_a_confirmation_all_is_sent_as_there_is_room) {
    for (const std::size_t size : {0u, 1u, 65536u, 200'000u}) {
        Sending sending(patterned(size), false);
        sending.connection->room = size / 2;

        sending.begin();
        BOOST_TEST(sending.connection->got.size() == size / 2);
        sending.connection->makeRoom(size);

        BOOST_TEST(sending.connection->got == *sending.content);
        BOOST_TEST((sending.connection->pipe->state() == PipeState::Ended));
        BOOST_TEST(sending.length.value() == size);
    }
}

BOOST_AUTO_TEST_SUITE_END()
