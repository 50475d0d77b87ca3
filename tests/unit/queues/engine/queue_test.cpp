#include "tests/unit/queues/engine/engine_rig.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

BOOST_AUTO_TEST_SUITE(queue_)

BOOST_AUTO_TEST_CASE(delivers_what_was_sent_with_all_its_fields) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("orders", inbox);
    Message sent = message("body");
    sent.correlationId = "c";
    sent.replyTo = "answers";
    sent.type = "t";
    sent.contentType = "text/xml";
    sent.userId = "u";
    sent.priority = 7;
    sent.properties = {{"b", true}, {"i", std::int64_t{5}}, {"d", 2.5}, {"s", std::string("x")}};
    rig.send("orders", sent);

    const Delivery delivery = inbox.take();

    BOOST_TEST(delivery.queue == "orders");
    BOOST_TEST(delivery.count == 1u);
    BOOST_TEST(!delivery.redelivered);
    BOOST_TEST(delivery.message->id.starts_with("ID:"));
    BOOST_TEST(delivery.message->timestamp == rig.wall());
    sent.id = delivery.message->id;
    sent.timestamp = delivery.message->timestamp;
    BOOST_TEST((*delivery.message == sent));
}

BOOST_AUTO_TEST_CASE(confirms_and_delivers_only_what_is_stored) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    std::optional<Result<void>> confirmed;

    rig.engine().send("q", message("m"), rig.note(confirmed));
    while (rig.engine().step()) {
    }
    BOOST_TEST(!confirmed);
    BOOST_TEST(inbox.deliveries.empty());

    rig.settle();
    BOOST_TEST(bool(confirmed));
    BOOST_TEST(inbox.bodies() == "m");
}

BOOST_AUTO_TEST_CASE(gives_each_message_to_one_consumer_in_turn) {
    EngineRig rig;
    Inbox a, b;
    rig.consume("q", a);
    rig.consume("q", b);

    for (const char* body : {"1", "2", "3", "4"}) rig.send("q", body);

    BOOST_TEST(a.deliveries.size() == 2u);
    BOOST_TEST(b.deliveries.size() == 2u);
}

BOOST_AUTO_TEST_CASE(keeps_order_within_a_priority_and_prefers_higher_ones) {
    EngineRig rig;
    for (const auto& [body, priority] : {std::pair{"a", 4}, {"b", 9}, {"c", 4}, {"d", 0}, {"e", 9}, {"f", 12}}) {
        Message each = message(body);
        each.priority = static_cast<std::uint8_t>(priority);
        rig.send("q", each);
    }
    Inbox inbox;
    rig.consume("q", inbox);

    BOOST_TEST(inbox.bodies() == "b e f a c d");
}

BOOST_AUTO_TEST_CASE(holds_back_what_exceeds_the_prefetch_or_the_credit) {
    EngineRig rig;
    for (const char* body : {"1", "2", "3", "4", "5"}) rig.send("q", body);
    Inbox prefetching, paying;
    rig.consume("q", prefetching, {.prefetch = 2});
    BOOST_TEST(prefetching.bodies() == "1 2");
    rig.consume("q", paying, {.prefetch = 0});
    BOOST_TEST(paying.bodies().empty());

    rig.session().addCredit(paying.id, 1);
    BOOST_TEST(rig.session().credit(paying.id) == 1u);
    rig.settle();
    BOOST_TEST(paying.bodies() == "3");
    BOOST_TEST(rig.session().credit(paying.id) == 0u);
    rig.acknowledge(paying, paying.take());
    BOOST_TEST(paying.bodies().empty());

    rig.acknowledge(prefetching, prefetching.take());
    BOOST_TEST(prefetching.bodies() == "2 4");
}

BOOST_AUTO_TEST_CASE(forgets_what_was_acknowledged_and_keeps_the_rest_over_a_crash) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox);
    rig.send("q", "1");
    rig.send("q", "2");
    rig.acknowledge(inbox, inbox.take());

    rig.crash();

    Inbox after;
    rig.consume("q", after);
    BOOST_REQUIRE(after.bodies() == "2");
    BOOST_TEST(after.deliveries[0].redelivered);
    BOOST_TEST(rig.status("q").depth() == 1u);
}

BOOST_AUTO_TEST_CASE(acknowledges_one_or_all_up_to_one_or_all_of_a_session) {
    EngineRig rig;
    Inbox inbox, other;
    for (int i = 1; i <= 6; ++i) rig.send("q", std::to_string(i));
    rig.send("r", "7");
    rig.consume("q", inbox);
    rig.consume("r", other);

    rig.acknowledge(inbox, inbox.deliveries[4]);
    BOOST_TEST(rig.status("q").inFlight == 5u);
    std::optional<Result<void>> result;
    rig.session().acknowledgeUpTo(inbox.id, inbox.deliveries[2].tag, rig.note(result));
    rig.settle();
    BOOST_TEST((result && *result));
    BOOST_TEST(rig.status("q").inFlight == 2u);
    BOOST_TEST(rig.status("q").acknowledged == 4u);
    rig.session().acknowledgeAll(rig.note(result));
    rig.settle();
    BOOST_TEST(rig.status("q").depth() == 0u);
    BOOST_TEST(rig.status("r").depth() == 0u);
}

BOOST_AUTO_TEST_CASE(refuses_a_tag_that_is_not_the_consumers) {
    EngineRig rig;
    Inbox a, b;
    rig.consume("q", a);
    rig.consume("q", b);
    rig.send("q", "1");
    Inbox& holder = a.deliveries.empty() ? b : a;
    Inbox& stranger = a.deliveries.empty() ? a : b;
    const Delivery delivery = holder.take();

    for (int i = 0; i < 2; ++i) {
        std::optional<Result<void>> result;
        rig.session().acknowledge(i == 0 ? stranger.id : holder.id, i == 0 ? delivery.tag : 99, rig.note(result));
        rig.settle();
        BOOST_REQUIRE(result);
        BOOST_REQUIRE(!*result);
        BOOST_TEST((result->error().kind() == Error::Kind::NotFound));
    }
    rig.acknowledge(holder, delivery);
    std::optional<Result<void>> twice;
    rig.session().acknowledge(holder.id, delivery.tag, rig.note(twice));
    rig.settle();
    BOOST_TEST((twice && !*twice));
}

BOOST_AUTO_TEST_CASE(acknowledges_by_itself_after_the_handler_when_asked_to) {
    EngineRig rig;
    Inbox inbox;
    rig.consume("q", inbox, {.automatic = true});

    rig.send("q", "1");

    BOOST_TEST(inbox.bodies() == "1");
    BOOST_TEST(rig.status("q").depth() == 0u);
}

BOOST_AUTO_TEST_CASE(returns_what_a_closed_consumer_held_in_order_and_counts_the_eldest) {
    EngineRig rig;
    for (const char* body : {"1", "2", "3"}) rig.send("q", body);
    Inbox first, second;
    rig.consume("q", first);
    BOOST_TEST(first.bodies() == "1 2 3");

    rig.session().cancel(first.id);
    rig.consume("q", second);

    BOOST_REQUIRE(second.bodies() == "1 2 3");
    BOOST_TEST(second.deliveries[0].count == 2u);
    BOOST_TEST(second.deliveries[1].count == 1u);
    for (const Delivery& each : second.deliveries) BOOST_TEST(each.redelivered);
}

BOOST_AUTO_TEST_CASE(serves_consumers_with_selectors_past_what_is_for_others) {
    EngineRig rig;
    for (int i = 0; i < 6; ++i) {
        Message each = message(std::to_string(i));
        each.properties = {{"even", i % 2 == 0}};
        rig.send("q", each);
    }
    Inbox even, odd;
    rig.consume("q", even, {.selector = "even"});
    BOOST_TEST(even.bodies() == "0 2 4");
    rig.consume("q", odd, {.selector = "NOT even"});
    BOOST_TEST(odd.bodies() == "1 3 5");

    Message late = message("6");
    late.properties = {{"even", true}};
    rig.send("q", late);
    BOOST_TEST(even.bodies() == "0 2 4 6");
    BOOST_REQUIRE(rig.session().release(even.id, even.deliveries[0].tag));
    rig.settle();
    BOOST_TEST(even.bodies() == "0 2 4 6 0");
}

BOOST_AUTO_TEST_CASE(refuses_a_selector_that_makes_no_sense) {
    EngineRig rig;
    const auto consumer = rig.session().consume("q", {.selector = "a ="}, [](const Delivery&) {});

    BOOST_REQUIRE(!consumer);
    BOOST_TEST((consumer.error().kind() == Error::Kind::Invalid));
}

BOOST_AUTO_TEST_CASE(sends_all_of_a_group_to_one_consumer_until_it_closes) {
    EngineRig rig;
    Inbox a, b;
    rig.consume("q", a);
    rig.consume("q", b);
    const auto send = [&](const char* group, const char* body, int sequence = 0) {
        Message each = message(body);
        each.group = group;
        each.groupSequence = sequence;
        rig.send("q", each);
    };
    for (const char* body : {"x1", "x2", "x3"}) send("x", body);
    for (const char* body : {"y1", "y2"}) send("y", body);

    BOOST_REQUIRE(a.bodies() == "x1 x2 x3");
    BOOST_REQUIRE(b.bodies() == "y1 y2");
    BOOST_TEST(a.deliveries[0].firstOfGroup);
    BOOST_TEST(!a.deliveries[1].firstOfGroup);

    for (Delivery each; !a.deliveries.empty();) rig.acknowledge(a, a.take());
    send("x", "x4");
    BOOST_TEST(a.bodies() == "x4");
    rig.session().cancel(a.id);
    rig.settle();
    BOOST_TEST(b.bodies() == "y1 y2 x4");
    send("x", "x5", -1);
    BOOST_TEST(b.bodies() == "y1 y2 x4 x5");
    Inbox c;
    rig.consume("q", c);
    for (int i = 0; i < 4; ++i) send("x", "x6");
    BOOST_TEST((b.deliveries.size() == 8u || c.deliveries.size() == 4u));
}

BOOST_AUTO_TEST_CASE(serves_one_exclusive_consumer_by_priority_then_age) {
    EngineRig rig;
    QueueSettings settings;
    settings.exclusive = true;
    BOOST_REQUIRE(rig.engine().declareQueue("q", settings));
    Inbox first, second, third;
    rig.consume("q", first);
    rig.consume("q", second);
    rig.send("q", "1");
    BOOST_TEST(first.bodies() == "1");
    BOOST_TEST(second.bodies().empty());

    rig.session().cancel(first.id);
    rig.settle();
    BOOST_TEST(second.bodies() == "1");
    rig.consume("q", third, {.priority = 5});
    rig.send("q", "2");
    BOOST_TEST(third.bodies() == "2");
    BOOST_TEST(second.bodies() == "1");
}

BOOST_AUTO_TEST_CASE(keeps_non_persistent_messages_out_of_the_store) {
    EngineRig rig;
    const int before = rig.store().commits;
    Message fleeting = message("1");
    fleeting.persistent = false;
    rig.send("q", fleeting);
    BOOST_TEST(rig.store().commits == before);
    rig.send("q", "2");

    Inbox inbox;
    rig.consume("q", inbox);
    BOOST_TEST(inbox.bodies() == "1 2");
    rig.crash();
    Inbox after;
    rig.consume("q", after);
    BOOST_TEST(after.bodies() == "2");
}

BOOST_AUTO_TEST_CASE(ends_temporary_queues_with_their_session) {
    EngineRig rig;
    const auto name = rig.session().temporaryQueue();
    BOOST_REQUIRE(name);
    BOOST_TEST(name->size() > 30u);
    auto stranger = rig.engine().connect("other");
    const auto refused = stranger->consume(*name, {}, [](const Delivery&) {});
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind() == Error::Kind::Forbidden));
    const int before = rig.store().commits;
    Inbox inbox;
    rig.consume(*name, inbox);
    rig.send(*name, "answer");
    BOOST_TEST(inbox.bodies() == "answer");
    BOOST_TEST(rig.store().commits == before);

    rig.endSession();
    rig.settle();

    BOOST_TEST((rig.refused(*name, message("late")).kind() == Error::Kind::NotFound));
}

BOOST_AUTO_TEST_CASE(refuses_names_that_are_none) {
    EngineRig rig;
    for (const std::string& bad : {std::string(), std::string("a\nb"), std::string("\xff"), std::string(256, 'x')})
        BOOST_TEST((rig.refused(bad, message("m")).kind() == Error::Kind::Invalid));
    BOOST_TEST((rig.refused("temp.x", message("m")).kind() == Error::Kind::NotFound));
}

BOOST_AUTO_TEST_CASE(does_not_make_queues_when_told_not_to) {
    EngineRig rig({.autoCreate = false});

    BOOST_TEST((rig.refused("q", message("m")).kind() == Error::Kind::NotFound));
    BOOST_REQUIRE(rig.engine().declareQueue("q", {}));
    rig.send("q", "m");
}

BOOST_AUTO_TEST_SUITE_END()
