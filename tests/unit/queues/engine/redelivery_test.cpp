#include "tests/unit/queues/engine/engine_rig.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;
using std::chrono::seconds;

BOOST_AUTO_TEST_SUITE(redelivery)

BOOST_AUTO_TEST_CASE(waits_longer_after_each_failure_then_sets_aside_with_the_reason) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    rig.send("q", "m");
    const std::string id = inbox.deliveries[0].message->id;

    for (const int pause : {1, 5, 25, 125}) {
        const Delivery delivery = inbox.take();
        BOOST_REQUIRE(rig.session().fail(inbox.id, delivery.tag, "no database"));
        rig.settle();
        BOOST_TEST(rig.status("q").scheduled == 1u);
        rig.pass(seconds(pause) - milliseconds(1));
        BOOST_TEST(inbox.deliveries.empty());
        rig.pass(milliseconds(1));
        BOOST_REQUIRE(inbox.deliveries.size() == 1u);
        BOOST_TEST(inbox.deliveries[0].count == delivery.count + 1);
        BOOST_TEST(inbox.deliveries[0].redelivered);
    }
    BOOST_REQUIRE(rig.session().fail(inbox.id, inbox.take().tag, "no database"));
    rig.settle();

    BOOST_TEST(rig.status("q").depth() == 0u);
    BOOST_TEST(rig.status("q").dead == 1u);
    Inbox dead;
    rig.consume("DLQ.q", dead);
    BOOST_REQUIRE(dead.deliveries.size() == 1u);
    BOOST_TEST(dead.deliveries[0].message->id == id);
    BOOST_TEST((dead.deliveries[0].deadLetter == DeadLetter{"q", "no database", 5, rig.wall()}));
    BOOST_TEST(dead.deliveries[0].count == 1u);
}

BOOST_AUTO_TEST_CASE(lets_others_pass_while_one_waits) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox, {.prefetch = 1});
    rig.send("q", "1");
    rig.send("q", "2");
    BOOST_REQUIRE(rig.session().fail(inbox.id, inbox.take().tag, "x"));
    rig.settle();

    BOOST_TEST(inbox.bodies() == "2");
}

BOOST_AUTO_TEST_CASE(counts_no_attempt_for_what_is_released) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    rig.send("q", "m");
    for (int i = 0; i < 20; ++i) {
        const Delivery delivery = inbox.take();
        BOOST_TEST(delivery.count == 1u);
        BOOST_TEST(delivery.redelivered == (i > 0));
        BOOST_REQUIRE(rig.session().release(inbox.id, delivery.tag));
        rig.settle();
    }
}

BOOST_AUTO_TEST_CASE(sets_aside_at_once_when_told_to) {
    EngineRig rig;
    QueueSettings settings;
    settings.deadLetter = "graveyard";
    BOOST_REQUIRE(rig.engine().declareQueue("q", settings));
    Inbox inbox;
    rig.consume("q", inbox);
    rig.send("q", "m");
    BOOST_REQUIRE(rig.session().setAside(inbox.id, inbox.take().tag, "nonsense"));
    rig.settle();

    BOOST_TEST(rig.status("graveyard").ready == 1u);
}

BOOST_AUTO_TEST_CASE(never_sets_a_dead_letter_aside_again) {
    EngineRig rig;
    Inbox inbox, dead;
    rig.consume("q", inbox);
    rig.send("q", "m");
    BOOST_REQUIRE(rig.session().setAside(inbox.id, inbox.take().tag, "x"));
    rig.consume("DLQ.q", dead);
    for (int i = 0; i < 8; ++i) {
        BOOST_REQUIRE(rig.session().fail(dead.id, dead.take().tag, "y"));
        rig.pass(seconds(300));
    }

    BOOST_REQUIRE(dead.deliveries.size() == 1u);
    BOOST_TEST(dead.deliveries[0].count == 9u);
    BOOST_TEST(dead.deliveries[0].deadLetter->reason == "x");
}

BOOST_AUTO_TEST_CASE(stores_the_count_before_the_second_delivery_and_not_before_the_first) {
    EngineRig rig;
    Inbox inbox;
    rig.send("q", "m");
    const int before = rig.store().commits;
    rig.consume("q", inbox);
    BOOST_TEST(rig.store().commits == before);
    BOOST_REQUIRE(rig.session().release(inbox.id, inbox.take().tag));
    rig.settle();
    BOOST_TEST(rig.store().commits == before);
    BOOST_REQUIRE(rig.session().fail(inbox.id, inbox.take().tag, "x"));
    while (rig.engine().step()) {
    }
    rig.pass(seconds(1));
    BOOST_TEST(rig.store().commits == before + 1);
    BOOST_REQUIRE(inbox.deliveries.size() == 1u);

    rig.crash();
    Inbox after;
    rig.consume("q", after);
    BOOST_REQUIRE(after.deliveries.size() == 1u);
    BOOST_TEST(after.deliveries[0].count == 3u);
}

BOOST_AUTO_TEST_CASE(sets_aside_what_brings_the_daemon_down_again_and_again) {
    EngineRig rig;
    rig.send("q", "deadly");
    rig.send("q", "harmless");
    int deliveries = 0;
    for (int i = 0; i < 10; ++i) {
        Inbox inbox;
        rig.consume("q", inbox, {.prefetch = 1});
        if (inbox.deliveries[0].message->body != "deadly") break;
        ++deliveries;
        rig.crash();
    }

    // The first one was not stored; each after it was.
    BOOST_TEST(deliveries == 6);
    BOOST_TEST(rig.status("DLQ.q").ready == 1u);
}

BOOST_AUTO_TEST_CASE(keeps_order_when_counting_delays_the_first) {
    EngineRig rig;
    for (const char* body : {"1", "2", "3"}) rig.send("q", body);
    Inbox first, second;
    rig.consume("q", first);
    rig.session().cancel(first.id);
    auto consumer = rig.session().consume("q", {}, second.handler());
    BOOST_REQUIRE(consumer);
    while (rig.engine().step()) {
    }
    BOOST_TEST(second.bodies().empty());

    rig.settle();
    BOOST_TEST(second.bodies() == "1 2 3");
}

BOOST_AUTO_TEST_CASE(counts_no_attempt_for_a_consumer_that_was_at_work_on_nothing) {
    EngineSettings settings;
    settings.defaults.maxDeliveries = 2;
    EngineRig rig(settings);
    for (const char* body : {"1", "2", "3"}) rig.send("q", body);

    for (int i = 0; i < 5; ++i) {
        Inbox inbox;
        rig.consume("q", inbox, {.prefetch = 2});
        BOOST_TEST(inbox.bodies() == "1 2");
        for (const Delivery& each : inbox.deliveries) BOOST_TEST(each.count == 1u);
        rig.session().leave(inbox.id);
        rig.settle();
    }
    BOOST_TEST(rig.status("q").ready == 3u);
    Inbox last;
    rig.consume("q", last);
    BOOST_TEST(last.deliveries[0].count == 1u);
    BOOST_TEST(last.deliveries[0].redelivered);
}

BOOST_AUTO_TEST_CASE(knows_after_a_clean_stop_what_had_been_delivered) {
    EngineRig rig;
    for (const char* body : {"1", "2", "3"}) rig.send("q", body);
    Inbox inbox, after;
    rig.consume("q", inbox, {.prefetch = 2});

    rig.restart();
    rig.consume("q", after);

    BOOST_REQUIRE(after.bodies() == "1 2 3");
    BOOST_TEST(after.deliveries[0].redelivered);
    BOOST_TEST(after.deliveries[1].redelivered);
    BOOST_TEST(!after.deliveries[2].redelivered);
}

BOOST_AUTO_TEST_CASE(holds_scheduled_messages_until_they_are_due_over_a_restart_too) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    Message later = message("later");
    later.delay = seconds(60);
    rig.send("q", later);
    rig.send("q", "now");
    BOOST_TEST(inbox.bodies() == "now");
    rig.pass(seconds(20));
    rig.crash();
    Inbox after;
    rig.consume("q", after);
    BOOST_TEST(after.bodies() == "now");

    rig.pass(seconds(39));
    BOOST_TEST(after.bodies() == "now");
    rig.pass(seconds(1));
    BOOST_TEST(after.bodies() == "now later");
}

BOOST_AUTO_TEST_CASE(moves_no_delay_when_the_wall_clock_jumps) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    Message later = message("later");
    later.delay = seconds(60);
    later.timeToLive = seconds(120);
    rig.send("q", later);
    rig.jumpWallClock(std::chrono::hours(1));
    rig.settle();
    BOOST_TEST(inbox.bodies().empty());
    rig.jumpWallClock(-std::chrono::hours(2));

    rig.pass(seconds(60));
    BOOST_TEST(inbox.bodies() == "later");
}

BOOST_AUTO_TEST_CASE(drops_what_has_expired_wherever_it_stands) {
    EngineRig rig;
    for (const int life : {10, 0, 20}) {
        Message each = message(std::to_string(life));
        each.timeToLive = seconds(life);
        rig.send("q", each);
    }
    rig.pass(seconds(10));
    BOOST_TEST(rig.status("q").depth() == 2u);
    rig.pass(seconds(10));

    BOOST_TEST(rig.status("q").depth() == 1u);
    BOOST_TEST(rig.status("q").expired == 2u);
    rig.crash();
    Inbox inbox;
    rig.consume("q", inbox);
    BOOST_TEST(inbox.bodies() == "0");
}

BOOST_AUTO_TEST_CASE(looks_at_the_expiry_of_what_comes_back) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    Message brief = message("brief");
    brief.timeToLive = seconds(10);
    rig.send("q", brief);
    rig.pass(seconds(11));
    BOOST_TEST(rig.status("q").inFlight == 1u);

    BOOST_REQUIRE(rig.session().release(inbox.id, inbox.take().tag));
    rig.settle();

    BOOST_TEST(inbox.deliveries.empty());
    BOOST_TEST(rig.status("q").depth() == 0u);
}

BOOST_AUTO_TEST_CASE(expires_while_the_daemon_is_down) {
    EngineRig rig;
    Message brief = message("brief");
    brief.timeToLive = seconds(10);
    rig.send("q", brief);
    rig.jumpWallClock(seconds(11));

    rig.crash();
    Inbox inbox;
    rig.consume("q", inbox);

    BOOST_TEST(inbox.deliveries.empty());
    BOOST_TEST(rig.status("q").expired == 1u);
}

BOOST_AUTO_TEST_CASE(moves_expired_messages_where_the_queue_says) {
    EngineRig rig;
    QueueSettings settings;
    settings.timeToLive = seconds(5);
    settings.expiry = "late";
    BOOST_REQUIRE(rig.engine().declareQueue("q", settings));
    rig.send("q", "m");
    rig.pass(seconds(5));

    Inbox inbox;
    rig.consume("late", inbox);
    BOOST_REQUIRE(inbox.bodies() == "m");
    BOOST_TEST(inbox.deliveries[0].deadLetter->reason == "expired");
    BOOST_TEST(inbox.deliveries[0].deadLetter->origin == "q");
}

BOOST_AUTO_TEST_SUITE_END()
