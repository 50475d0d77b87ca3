
#include "tests/unit/queues/store/store_rigs.hpp"

/// What every store promises; a new one adds its rig to the list.
using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

using Rigs = std::tuple<SqliteRig, MemoryRig>;

BOOST_AUTO_TEST_SUITE(queue_store)

BOOST_AUTO_TEST_CASE_TEMPLATE(gives_back_every_member_after_a_crash, Rig, Rigs) {
    Rig rig;
    MessageRow row = message(7, 3);
    row.body = -4;
    row.expires = 1'900'000'000'000;
    row.due = 1'800'000'000'000;
    row.deliveries = 2;
    row.size = 4;
    row.priority = 9;
    row.group = std::string("g\0h", 3);
    row.note = "why";
    Batch batch;
    batch.putQueues.push_back({3, "orders", "settings"});
    batch.putBodies.push_back(body(-4, std::string("\0\xff{}", 4), std::string("h\0", 2)));
    batch.putMessages.push_back(row);
    batch.putSeen.push_back({3, "key", 99});
    rig.must(std::move(batch));

    rig.reopen();

    const Holdings all = holdings(rig.store());
    BOOST_REQUIRE(all.messages.size() == 1u);
    BOOST_TEST((all.messages[0] == row));
    BOOST_REQUIRE(all.queues.size() == 1u);
    BOOST_TEST((all.queues[0] == QueueRow{3, "orders", "settings"}));
    BOOST_REQUIRE(all.seen.size() == 1u);
    BOOST_TEST((all.seen[0] == SeenRow{3, "key", 99}));
    const auto content = rig.store().read(-4);
    BOOST_REQUIRE(content);
    BOOST_TEST(content->head == std::string("h\0", 2));
    BOOST_TEST(content->body == std::string("\0\xff{}", 4));
    BOOST_TEST(*rig.store().readHead(-4) == std::string("h\0", 2));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scans_messages_by_id_and_seen_keys_by_age, Rig, Rigs) {
    Rig rig;
    for (const MessageId id : {3, 1, 2}) rig.must(enqueue(id));
    Batch batch;
    batch.putSeen = {{1, "young", 30}, {2, "old", 10}, {1, "middle", 20}};
    rig.must(std::move(batch));

    const Holdings all = holdings(rig.store());

    BOOST_REQUIRE(all.messages.size() == 3u);
    BOOST_TEST((all.messages[0].id == 1 && all.messages[1].id == 2 && all.messages[2].id == 3));
    BOOST_REQUIRE(all.seen.size() == 3u);
    BOOST_TEST((all.seen[0].key == "old" && all.seen[1].key == "middle" && all.seen[2].key == "young"));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(changes_what_can_change_and_keeps_the_rest, Rig, Rigs) {
    Rig rig;
    rig.must(enqueue(5));
    Batch batch;
    batch.changeMessages.push_back({5, 8, 11, 12, 3, "note"});
    rig.must(std::move(batch));

    rig.reopen();

    MessageRow expected = message(5, 8);
    expected.expires = 11;
    expected.due = 12;
    expected.deliveries = 3;
    expected.note = "note";
    const Holdings all = holdings(rig.store());
    BOOST_REQUIRE(all.messages.size() == 1u);
    BOOST_TEST((all.messages[0] == expected));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(drops_messages_bodies_keys_and_queues, Rig, Rigs) {
    Rig rig;
    Batch batch = enqueue(1);
    batch.putQueues = {{1, "a", ""}, {2, "b", ""}};
    batch.putSeen = {{1, "x", 1}, {1, "y", 2}, {2, "x", 3}};
    rig.must(std::move(batch));
    Batch drop = acknowledge(1);
    drop.dropSeen.push_back({1, "x", 0});
    drop.dropQueues.push_back(2);
    rig.must(std::move(drop));

    rig.reopen();

    const Holdings all = holdings(rig.store());
    BOOST_TEST(all.messages.empty());
    BOOST_REQUIRE(all.queues.size() == 1u);
    BOOST_TEST(all.queues[0].name == "a");
    BOOST_REQUIRE(all.seen.size() == 1u);
    BOOST_TEST(all.seen[0].key == "y");
    BOOST_TEST(!rig.store().read(1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(replaces_a_queue_of_the_same_id, Rig, Rigs) {
    Rig rig;
    for (const char* settings : {"first", "second"}) {
        Batch batch;
        batch.putQueues.push_back({1, "a", settings});
        rig.must(std::move(batch));
    }

    const Holdings all = holdings(rig.store());

    BOOST_REQUIRE(all.queues.size() == 1u);
    BOOST_TEST(all.queues[0].settings == "second");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tells_a_close_from_a_crash, Rig, Rigs) {
    Rig rig;
    BOOST_TEST(rig.store().wasClosed());
    rig.must(enqueue(1));

    rig.reopen();
    BOOST_TEST(!rig.store().wasClosed());

    BOOST_REQUIRE(rig.store().close());
    rig.reopen();
    BOOST_TEST(rig.store().wasClosed());
    BOOST_TEST(holdings(rig.store()).messages.size() == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(says_that_a_body_is_missing, Rig, Rigs) {
    Rig rig;

    const auto content = rig.store().read(42);

    BOOST_REQUIRE(!content);
    BOOST_TEST(content.error().message().find("42") != std::string::npos);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(confirms_in_the_order_of_commits_and_never_within_them, Rig, Rigs) {
    Rig rig;
    std::mutex mutex;
    std::vector<int> order;
    std::atomic<bool> within{false}, broken{false};
    for (int i = 0; i < 50; ++i) {
        within = true;
        const std::thread::id me = std::this_thread::get_id();
        rig.store().commit(enqueue(i + 1), [&, me, i](const Result<void>&) {
            if (within && std::this_thread::get_id() == me) broken = true;
            std::lock_guard lock(mutex);
            order.push_back(i);
        });
        within = false;
    }
    rig.must(enqueue(100));

    std::lock_guard lock(mutex);
    BOOST_TEST(!broken);
    BOOST_REQUIRE(order.size() == 50u);
    BOOST_TEST(std::is_sorted(order.begin(), order.end()));
}

BOOST_AUTO_TEST_SUITE_END()
