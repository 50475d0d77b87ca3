#include "tests/unit/queues/engine/engine_rig.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

namespace {

void fill(EngineRig& rig, const char* queue, int count) {
    for (std::int64_t i = 0; i < count; ++i) {
        Message each = message(std::to_string(i));
        each.properties = {{"i", i}};
        rig.engine().send(queue, each, [](const Result<void>&) {});
    }
    rig.settle();
}

void setAside(EngineRig& rig, const char* queue, const char* body) {
    Inbox inbox;
    rig.send(queue, body);
    rig.consume(queue, inbox);
    BOOST_REQUIRE(rig.session().setAside(inbox.id, inbox.take().tag, "x"));
    rig.settle();
    rig.session().cancel(inbox.id);
    rig.settle();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(admin)

BOOST_AUTO_TEST_CASE(shows_figures_and_ages) {
    EngineRig rig;
    fill(rig, "q", 3);
    Message later = message("later");
    later.delay = std::chrono::seconds(100);
    rig.send("q", later);
    rig.pass(std::chrono::seconds(7));
    Inbox inbox;
    rig.consume("q", inbox, {.prefetch = 2});

    const QueueStatus status = rig.status("q");

    BOOST_TEST(status.ready == 1u);
    BOOST_TEST(status.inFlight == 2u);
    BOOST_TEST(status.scheduled == 1u);
    BOOST_TEST(status.depth() == 4u);
    BOOST_TEST(status.bytes == 8u);
    BOOST_TEST(status.enqueued == 4u);
    BOOST_TEST(status.consumers == 1u);
    BOOST_TEST((status.oldestAge == 7000));
    BOOST_TEST(!rig.engine().status("nowhere"));
}

BOOST_AUTO_TEST_CASE(browses_page_by_page_without_changing_anything) {
    EngineRig rig;
    fill(rig, "q", 5);
    Inbox inbox;
    rig.consume("q", inbox, {.prefetch = 1});

    auto page = rig.engine().browse("q", {.limit = 2});
    BOOST_REQUIRE((page && page->size() == 2u));
    BOOST_TEST((*page)[0].message->properties == (std::vector<Property>{{"i", std::int64_t{1}}}));
    BOOST_TEST((*page)[0].message->body.empty());
    BOOST_TEST((*page)[0].size == 1u);
    page = rig.engine().browse("q", {.after = (*page)[1].id, .selector = "i <> 3", .bodies = true});
    BOOST_REQUIRE((page && page->size() == 1u));
    BOOST_TEST((*page)[0].message->body == "4");
    BOOST_TEST((*page)[0].deliveries == 0u);
    BOOST_TEST(!rig.engine().browse("q", {.selector = "i ="}));
}

BOOST_AUTO_TEST_CASE(purges_all_some_or_named_ones) {
    EngineRig rig;
    fill(rig, "q", 1300);
    BOOST_TEST(rig.counted([&](const Counted& done) { rig.engine().purge("q", {.selector = "i < 10"}, done); }) == 10u);
    BOOST_TEST(rig.counted([&](const Counted& done) { rig.engine().purge("q", {.limit = 3}, done); }) == 3u);
    const auto first = rig.engine().browse("q", {.limit = 1});
    BOOST_REQUIRE((first && first->size() == 1u));
    BOOST_TEST(rig.counted([&](const Counted& done) {
        rig.engine().purge("q", {.ids = {(*first)[0].id, 999'999}}, done);
    }) == 1u);
    Inbox inbox;
    rig.consume("q", inbox, {.prefetch = 1});
    BOOST_TEST(inbox.bodies() == "14");

    BOOST_TEST(rig.counted([&](const Counted& done) { rig.engine().purge("q", {}, done); }) == 1285u);

    BOOST_TEST(rig.status("q").depth() == 1u);
    rig.crash();
    BOOST_TEST(rig.status("q").depth() == 1u);
}

BOOST_AUTO_TEST_CASE(moves_messages_durably) {
    EngineRig rig;
    fill(rig, "q", 10);

    BOOST_TEST(rig.counted([&](const Counted& done) { rig.engine().move("q", "r", {.selector = "i >= 7"}, done); }) ==
               3u);

    rig.crash();
    Inbox inbox;
    rig.consume("r", inbox);
    BOOST_TEST(inbox.bodies() == "7 8 9");
    BOOST_TEST(rig.status("q").ready == 7u);
    std::optional<Result<std::uint64_t>> refused;
    rig.engine().move("q", "q", {}, [&](Result<std::uint64_t> result) { refused.emplace(std::move(result)); });
    BOOST_TEST((refused && !*refused));
}

BOOST_AUTO_TEST_CASE(brings_dead_letters_back_to_where_they_came_from) {
    EngineRig rig;
    QueueSettings settings;
    settings.deadLetter = "dead";
    for (const char* name : {"a", "b"}) {
        BOOST_REQUIRE(rig.engine().declareQueue(name, settings));
        setAside(rig, name, name);
    }
    rig.send("dead", "sent here by someone");
    rig.crash();

    BOOST_TEST(rig.counted([&](const Counted& done) { rig.engine().retry("dead", {}, done); }) == 2u);

    for (const char* name : {"a", "b"}) {
        Inbox inbox;
        rig.consume(name, inbox);
        BOOST_REQUIRE(inbox.bodies() == name);
        BOOST_TEST(inbox.deliveries[0].count == 1u);
        BOOST_TEST(!inbox.deliveries[0].deadLetter);
    }
    BOOST_TEST(rig.status("dead").ready == 1u);
}

BOOST_AUTO_TEST_CASE(pauses_either_side_and_remembers_it) {
    EngineRig rig;
    rig.send("q", "1");
    BOOST_REQUIRE(rig.engine().pause("q", true, true));
    Inbox inbox;
    rig.consume("q", inbox);
    BOOST_TEST(inbox.deliveries.empty());
    BOOST_TEST((rig.refused("q", message("2")).kind() == Error::Kind::Unavailable));
    rig.crash();
    BOOST_TEST(rig.status("q").pausedIn);
    Inbox after;
    rig.consume("q", after);
    BOOST_TEST(after.deliveries.empty());

    BOOST_REQUIRE(rig.engine().resume("q"));
    rig.settle();
    BOOST_TEST(after.bodies() == "1");
    rig.send("q", "2");
}

BOOST_AUTO_TEST_CASE(removes_a_queue_with_all_that_is_in_it) {
    EngineRig rig;
    fill(rig, "q", 1200);
    Inbox inbox;
    rig.consume("q", inbox);
    std::optional<Result<void>> refused, removed;
    rig.engine().remove("q", rig.note(refused));
    BOOST_TEST((refused && !*refused));
    rig.session().cancel(inbox.id);

    rig.engine().remove("q", rig.note(removed));
    rig.settle();

    BOOST_TEST((removed && *removed));
    BOOST_TEST(!rig.engine().status("q"));
    rig.crash();
    BOOST_TEST(rig.engine().status().empty());
}

BOOST_AUTO_TEST_CASE(keeps_settings_and_topics_over_a_restart) {
    EngineRig rig;
    QueueSettings settings;
    settings.maxDeliveries = 17;
    settings.overflow = Overflow::Wait;
    BOOST_REQUIRE(rig.engine().declareQueue("q", settings));
    BOOST_REQUIRE(rig.engine().declareTopic("news"));
    rig.settle();

    rig.restart();

    BOOST_TEST((rig.status("q").settings == settings));
    BOOST_TEST((rig.engine().topics() == std::vector<std::string>{"news"}));
}

BOOST_AUTO_TEST_CASE(refuses_all_after_the_stop) {
    EngineRig rig;
    BOOST_REQUIRE(rig.engine().stop());

    std::optional<Result<void>> sent;
    rig.engine().send("q", message("m"), rig.note(sent));

    BOOST_TEST((sent && !*sent));
    BOOST_TEST(!rig.session().consume("q", {}, [](const Delivery&) {}));
    BOOST_TEST(!rig.engine().declareQueue("q", {}));
}

BOOST_AUTO_TEST_SUITE_END()
