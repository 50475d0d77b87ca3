#include "tests/unit/queues/engine/engine_rig.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

namespace {

void publish(EngineRig& rig, Session& session, const char* topic, Message message) {
    std::optional<Result<void>> result;
    session.publish(topic, std::move(message), rig.note(result));
    rig.settle();
    BOOST_REQUIRE(result);
    BOOST_REQUIRE_MESSAGE(*result, (*result ? "" : result->error().message()));
}

ConsumerId subscribe(EngineRig& rig, Session& session, Inbox& inbox, const SubscriptionOptions& options) {
    auto consumer = session.subscribe("news", options, {}, inbox.handler());
    BOOST_REQUIRE_MESSAGE(consumer, (consumer ? "" : consumer.error().message()));
    inbox.id = *consumer;
    rig.settle();
    return *consumer;
}

Error refused(Session& session, const SubscriptionOptions& options, const char* topic = "news") {
    auto consumer = session.subscribe(topic, options, {}, [](const Delivery&) {});
    BOOST_REQUIRE(!consumer);
    return consumer.error();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(topic)

BOOST_AUTO_TEST_CASE(copies_to_each_subscription_whose_selector_matches) {
    EngineRig rig;
    Inbox all, some;
    subscribe(rig, rig.session(), all, {});
    subscribe(rig, rig.session(), some, {.selector = "n > 1"});
    for (std::int64_t n : {1, 2}) {
        Message each = message(std::to_string(n));
        each.properties = {{"n", n}};
        publish(rig, rig.session(), "news", each);
    }

    BOOST_TEST(all.bodies() == "1 2");
    BOOST_TEST(some.bodies() == "2");
}

BOOST_AUTO_TEST_CASE(takes_what_nobody_listens_to_and_forgets_it) {
    EngineRig rig;
    const int before = rig.store().commits;

    publish(rig, rig.session(), "news", message("unheard"));

    BOOST_TEST(rig.store().commits == before);
    Inbox late;
    subscribe(rig, rig.session(), late, {});
    BOOST_TEST(late.deliveries.empty());
}

BOOST_AUTO_TEST_CASE(gathers_for_a_durable_subscription_over_a_crash) {
    EngineRig rig;
    Inbox first;
    const SubscriptionOptions durable{.name = "s", .durable = true};
    subscribe(rig, rig.session(), first, durable);
    rig.session().cancel(first.id);
    publish(rig, rig.session(), "news", message("1"));
    rig.crash();
    publish(rig, rig.session(), "news", message("2"));

    Inbox second;
    subscribe(rig, rig.session(), second, durable);
    BOOST_TEST(second.bodies() == "1 2");
}

BOOST_AUTO_TEST_CASE(stores_one_body_for_all_durable_copies_until_the_last_is_acknowledged) {
    EngineRig rig;
    Inbox a, b;
    subscribe(rig, rig.session(), a, {.name = "a", .durable = true});
    subscribe(rig, rig.session(), b, {.name = "b", .durable = true});
    publish(rig, rig.session(), "news", message("shared"));
    BodyId body = 0;
    int rows = 0;
    const QueueStore::Visitor look{[](const QueueRow&) {}, [](const SeenRow&) {},
                                   [&](const MessageRow& row) { ++rows, body = row.body; }};
    BOOST_REQUIRE(rig.store().scan(look));
    BOOST_TEST(rows == 2);
    BOOST_TEST(body < 0);

    rig.acknowledge(a, a.take());
    BOOST_TEST(bool(rig.store().read(body)));
    rig.crash();
    Inbox again;
    subscribe(rig, rig.session(), again, {.name = "b", .durable = true});
    BOOST_TEST(again.bodies() == "shared");
    rig.acknowledge(again, again.take());
    BOOST_TEST(!rig.store().read(body));
}

BOOST_AUTO_TEST_CASE(shares_a_subscription_among_its_consumers) {
    EngineRig rig;
    Inbox a, b, durable;
    subscribe(rig, rig.session(), a, {.name = "s", .shared = true});
    auto other = rig.engine().connect("other");
    subscribe(rig, *other, b, {.name = "s", .shared = true});
    subscribe(rig, *other, durable, {.name = "s", .durable = true, .shared = true});
    for (const char* body : {"1", "2", "3", "4"}) publish(rig, rig.session(), "news", message(body));

    BOOST_TEST(a.deliveries.size() == 2u);
    BOOST_TEST(b.deliveries.size() == 2u);
    BOOST_TEST(durable.bodies() == "1 2 3 4");
}

BOOST_AUTO_TEST_CASE(allows_an_unshared_durable_subscription_one_consumer) {
    EngineRig rig;
    Inbox first;
    subscribe(rig, rig.session(), first, {.name = "s", .durable = true});

    BOOST_TEST((refused(rig.session(), {.name = "s", .durable = true}).kind() == Error::Kind::Unavailable));
    Inbox theirs;
    auto other = rig.engine().connect("other");
    subscribe(rig, *other, theirs, {.name = "s", .durable = true});
    publish(rig, rig.session(), "news", message("1"));
    BOOST_TEST(first.bodies() == "1");
    BOOST_TEST(theirs.bodies() == "1");
}

BOOST_AUTO_TEST_CASE(refuses_another_topic_or_selector_until_it_is_unsubscribed) {
    EngineRig rig;
    Inbox first;
    subscribe(rig, rig.session(), first, {.name = "s", .durable = true});
    BOOST_TEST(!rig.session().unsubscribe("s"));
    rig.session().cancel(first.id);
    publish(rig, rig.session(), "news", message("1"));

    BOOST_TEST(
        (refused(rig.session(), {.name = "s", .durable = true, .selector = "a = 1"}).kind() == Error::Kind::Invalid));
    BOOST_TEST((refused(rig.session(), {.name = "s", .durable = true}, "sport").kind() == Error::Kind::Invalid));
    BOOST_REQUIRE(rig.session().unsubscribe("s"));
    rig.settle();
    BOOST_TEST(!rig.session().unsubscribe("s"));
    Inbox fresh;
    subscribe(rig, rig.session(), fresh, {.name = "s", .durable = true, .selector = "TRUE"});
    BOOST_TEST(fresh.deliveries.empty());
}

BOOST_AUTO_TEST_CASE(leaves_out_what_the_same_client_published_when_asked_to) {
    EngineRig rig;
    Inbox inbox;
    subscribe(rig, rig.session(), inbox, {.noLocal = true});
    auto other = rig.engine().connect("other");

    publish(rig, rig.session(), "news", message("mine"));
    publish(rig, *other, "news", message("theirs"));

    BOOST_TEST(inbox.bodies() == "theirs");
}

BOOST_AUTO_TEST_CASE(ends_a_fleeting_subscription_with_its_last_consumer) {
    EngineRig rig;
    Inbox inbox;
    subscribe(rig, rig.session(), inbox, {});
    publish(rig, rig.session(), "news", message("1"));
    BOOST_TEST(rig.engine().status().size() == 1u);

    rig.session().cancel(inbox.id);
    rig.settle();

    BOOST_TEST(rig.engine().status().empty());
}

BOOST_AUTO_TEST_CASE(refuses_a_durable_subscription_without_a_name) {
    EngineRig rig;

    BOOST_TEST((refused(rig.session(), {.durable = true}).kind() == Error::Kind::Invalid));
    BOOST_TEST((refused(rig.session(), {.name = "s", .shared = true, .noLocal = true}).kind() == Error::Kind::Invalid));
}

BOOST_AUTO_TEST_CASE(a_subscription_has_the_settings_that_its_consumer_brings) {
    EngineRig rig;
    Inbox inbox;
    QueueSettings settings;
    settings.maxDeliveries = 1;
    settings.deadLetter = "lost";
    const SubscriptionOptions options{.name = "s", .durable = true, .shared = true};
    const auto subscribed = [&](const std::optional<QueueSettings>& its) {
        auto consumer = rig.session().subscribe("news", options, {}, inbox.handler(), its);
        BOOST_REQUIRE(consumer);
        inbox.id = *consumer;
        rig.settle();
    };
    subscribed(settings);
    publish(rig, rig.session(), "news", message("one"));
    BOOST_REQUIRE(rig.session().fail(inbox.id, inbox.take().tag, "x"));
    rig.settle();
    BOOST_TEST(rig.status("lost").ready == 1u);

    rig.restart();
    subscribed(std::nullopt);  // it keeps them
    publish(rig, rig.session(), "news", message("two"));
    BOOST_REQUIRE(rig.session().fail(inbox.id, inbox.take().tag, "x"));
    rig.settle();
    BOOST_TEST(rig.status("lost").ready == 2u);

    subscribed(QueueSettings());
    publish(rig, rig.session(), "news", message("three"));
    BOOST_REQUIRE(rig.session().fail(inbox.id, inbox.take().tag, "x"));
    rig.pass(std::chrono::seconds(1));
    BOOST_TEST(rig.status("lost").ready == 2u);
    BOOST_TEST(inbox.take().count == 2u);

    settings.redeliveryMultiplier = 0;
    BOOST_TEST(!rig.session().subscribe("news", options, {}, inbox.handler(), settings));
}

BOOST_AUTO_TEST_SUITE_END()
