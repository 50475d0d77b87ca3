#include "tests/unit/queues/engine/engine_rig.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

namespace {

void declare(EngineRig& rig, const QueueSettings& settings) { BOOST_REQUIRE(rig.engine().declareQueue("q", settings)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(refuses_a_message_that_is_too_large) {
    EngineRig rig;
    declare(rig, {.maxMessageSize = 10_B});
    rig.send("q", std::string(10, 'x'));

    const Error error = rig.refused("q", message(std::string(11, 'x')));

    BOOST_TEST((error.kind() == Error::Kind::TooLarge));
    BOOST_TEST(error.message().find("11 bytes") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(refuses_what_a_full_queue_has_no_room_for) {
    EngineRig rig;
    declare(rig, {.maxMessages = 2, .maxBytes = 100_B});
    rig.send("q", "1");
    BOOST_TEST((rig.refused("q", message(std::string(100, 'x'))).kind() == Error::Kind::Unavailable));
    BOOST_TEST((rig.refused("q", message(std::string(101, 'x'))).kind() == Error::Kind::TooLarge));
    rig.send("q", "2");
    BOOST_TEST((rig.refused("q", message("3")).kind() == Error::Kind::Unavailable));

    Inbox inbox;
    rig.consume("q", inbox);
    rig.acknowledge(inbox, inbox.take());
    rig.send("q", "3");
}

BOOST_AUTO_TEST_CASE(counts_what_is_on_its_way_to_the_store) {
    EngineRig rig;
    declare(rig, {.maxMessages = 1});
    std::optional<Result<void>> first, second;
    rig.engine().send("q", message("1"), rig.note(first));
    rig.engine().send("q", message("2"), rig.note(second));

    BOOST_TEST((second && !*second));
    rig.settle();
    BOOST_TEST((first && *first));
}

BOOST_AUTO_TEST_CASE(lets_senders_wait_in_order_when_told_to) {
    EngineRig rig;
    declare(rig, {.maxMessages = 1, .overflow = Overflow::Wait});
    rig.send("q", "1");
    std::optional<Result<void>> second, third;
    rig.engine().send("q", message("2"), rig.note(second));
    rig.engine().send("q", message("3"), rig.note(third));
    rig.settle();
    BOOST_TEST((!second && !third));
    BOOST_TEST(rig.status("q").waiting == 2u);

    Inbox inbox;
    rig.consume("q", inbox);
    rig.acknowledge(inbox, inbox.take());
    BOOST_TEST((second && *second && !third));
    BOOST_TEST(inbox.bodies() == "2");
    rig.acknowledge(inbox, inbox.take());
    BOOST_TEST((third && *third));
    BOOST_TEST(inbox.bodies() == "3");
}

BOOST_AUTO_TEST_CASE(answers_waiting_senders_at_the_stop) {
    EngineRig rig;
    declare(rig, {.maxMessages = 1, .overflow = Overflow::Wait});
    rig.send("q", "1");
    std::optional<Result<void>> second;
    rig.engine().send("q", message("2"), rig.note(second));

    BOOST_REQUIRE(rig.engine().stop());

    BOOST_REQUIRE((second && !*second));
    BOOST_TEST((second->error().kind() == Error::Kind::Unavailable));
}

BOOST_AUTO_TEST_CASE(drops_what_is_too_much_when_told_to) {
    EngineRig rig;
    declare(rig, {.maxMessages = 1, .overflow = Overflow::Drop});
    rig.send("q", "1");
    rig.send("q", "2");

    BOOST_TEST(rig.status("q").ready == 1u);
    BOOST_TEST(rig.status("q").dropped == 1u);
}

BOOST_AUTO_TEST_CASE(keeps_bodies_beyond_the_limit_in_the_store_alone) {
    EngineRig rig;
    declare(rig, {.memory = 3000_B});
    for (int i = 0; i < 10; ++i) rig.send("q", std::to_string(i).append(999, 'x'));

    BOOST_TEST(rig.status("q").bytes == 10'000u);
    BOOST_TEST(rig.status("q").memory <= 3000u);
    Inbox inbox;
    const int before = rig.store().reads;
    rig.consume("q", inbox);
    BOOST_REQUIRE(inbox.deliveries.size() == 10u);
    for (int i = 0; i < 10; ++i) BOOST_TEST(inbox.deliveries[i].message->body == std::to_string(i).append(999, 'x'));
    BOOST_TEST(rig.store().reads == before + 8);
}

BOOST_AUTO_TEST_CASE(evaluates_selectors_on_what_is_paged_out) {
    EngineRig rig;
    declare(rig, {.memory = 1_B});
    for (std::int64_t i = 0; i < 300; ++i) {
        Message each = message(std::to_string(i));
        each.properties = {{"i", i}};
        rig.send("q", each);
    }
    BOOST_TEST(rig.status("q").memory == 0u);

    Inbox inbox;
    rig.consume("q", inbox, {.selector = "i BETWEEN 150 AND 152 OR i = 299"});

    BOOST_TEST(inbox.bodies() == "150 151 152 299");
}

BOOST_AUTO_TEST_CASE(bounds_the_memory_of_what_is_not_stored) {
    EngineRig rig({.memory = 10'000_B});
    Message fleeting = message(std::string(4000, 'x'));
    fleeting.persistent = false;
    rig.send("q", fleeting);
    rig.send("q", fleeting);

    BOOST_TEST((rig.refused("q", fleeting).kind() == Error::Kind::Unavailable));
    for (int i = 0; i < 5; ++i) rig.send("q", std::string(4000, 'x'));
    Inbox inbox;
    rig.consume("q", inbox);
    rig.acknowledge(inbox, inbox.take());
    rig.send("q", fleeting);
}

BOOST_AUTO_TEST_CASE(lets_senders_wait_for_the_disk_too) {
    EngineRig rig({.memory = 10'000_B});
    declare(rig, {.overflow = Overflow::Wait});
    std::optional<Result<void>> other, waits;
    rig.engine().send("other", message(std::string(9000, 'x')), rig.note(other));
    rig.engine().send("q", message(std::string(9000, 'x')), rig.note(waits));
    BOOST_TEST(rig.status("q").waiting == 1u);

    rig.settle();

    BOOST_TEST((other && *other && waits && *waits));
    BOOST_TEST(rig.status("q").ready == 1u);
}

BOOST_AUTO_TEST_CASE(drops_a_duplicate_as_if_taken_over_a_crash_too) {
    EngineRig rig;
    declare(rig, {.duplicateWindow = 2, .duplicateTime = std::chrono::seconds(60)});
    const auto send = [&](const char* key, const char* body) {
        Message each = message(body);
        each.duplicateKey = key;
        rig.send("q", each);
    };
    send("a", "1");
    send("a", "2");
    rig.crash();
    send("a", "3");
    BOOST_TEST(rig.status("q").ready == 1u);
    BOOST_TEST(rig.status("q").duplicates == 1u);

    send("b", "4");
    send("c", "5");
    send("a", "6");  // out of the window of two
    BOOST_TEST(rig.status("q").ready == 4u);
    rig.pass(std::chrono::seconds(61));
    send("d", "7");
    send("c", "8");  // out of the time
    BOOST_TEST(rig.status("q").ready == 6u);
}

BOOST_AUTO_TEST_CASE(confirms_a_duplicate_with_the_first_one) {
    EngineRig rig;
    declare(rig, {.duplicateWindow = 100});
    Message twice = message("m");
    twice.id = "same";
    std::optional<Result<void>> first, second;
    rig.settle();
    rig.store().set(QueueStore::State::Full);
    rig.engine().send("q", twice, rig.note(first));
    rig.engine().send("q", twice, rig.note(second));
    BOOST_TEST((!first && !second));
    rig.settle();
    BOOST_TEST((first && !*first && second && !*second));

    rig.store().set(QueueStore::State::Open);
    rig.send("q", twice);
    BOOST_TEST(rig.status("q").ready == 1u);
}

BOOST_AUTO_TEST_CASE(refuses_senders_and_serves_receivers_while_the_disk_is_full) {
    EngineRig rig;
    rig.send("q", "1");
    rig.store().set(QueueStore::State::Full);

    BOOST_TEST((rig.refused("q", message("2")).kind() == Error::Kind::Unavailable));
    Inbox inbox;
    rig.consume("q", inbox);
    rig.acknowledge(inbox, inbox.take());
    BOOST_TEST(rig.status("q").depth() == 0u);
    rig.store().set(QueueStore::State::Open);
    rig.send("q", "3");
    BOOST_TEST(inbox.bodies() == "3");
}

BOOST_AUTO_TEST_CASE(delivers_and_confirms_nothing_durable_once_the_store_failed) {
    EngineRig rig;
    Inbox inbox, more;
    rig.consume("q", inbox, {.prefetch = 1});
    rig.send("q", "1");
    rig.send("q", "2");
    rig.store().set(QueueStore::State::Failed);

    BOOST_TEST((rig.refused("q", message("3")).kind() == Error::Kind::Internal));
    std::optional<Result<void>> result;
    rig.session().acknowledge(inbox.id, inbox.take().tag, rig.note(result));
    rig.settle();
    BOOST_TEST((result && !*result));
    rig.consume("q", more);
    BOOST_TEST(more.deliveries.empty());
    BOOST_TEST((rig.engine().storeState() == QueueStore::State::Failed));

    const auto temporary = rig.session().temporaryQueue();
    BOOST_REQUIRE(temporary);
    Inbox fleeting;
    rig.consume(*temporary, fleeting);
    rig.send(*temporary, "still");
    BOOST_TEST(fleeting.bodies() == "still");
}

BOOST_AUTO_TEST_SUITE_END()
