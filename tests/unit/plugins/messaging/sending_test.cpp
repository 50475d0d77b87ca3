#include "tests/unit/plugins/messaging/messaging_house.hpp"

namespace postbus::messaging::test {

BOOST_AUTO_TEST_SUITE(sending_by_plugins)

BOOST_AUTO_TEST_CASE(opens_the_queues_and_comes_back_when_the_message_is_durable) {
    House house;
    Service service;
    Client client(house.hub, service);

    BOOST_TEST(send(client, "q", "hello") == static_cast<std::uint32_t>(POSTBUS_QUEUE_DONE));

    BOOST_TEST(house.opened == 1);
    house.close();  // and it is there with the next engine
    BOOST_TEST(house.depth("q") == 1u);
    BOOST_TEST(house.opened == 2);
}

BOOST_AUTO_TEST_CASE(carries_all_that_a_message_has) {
    House house;
    Service service;
    Client client(house.hub, service);
    postbus_message given = message("body");
    given.content_type = text("text/plain");
    given.id = text("ID:mine");
    given.correlation_id = text("c");
    given.reply_to = text("answers");
    given.type = text("t");
    given.group = text("g");
    given.group_sequence = 7;
    given.priority = 9;
    given.persistent = 0;
    given.time_to_live = 60'000;
    const postbus_property properties[] = {{text("flag"), POSTBUS_PROPERTY_BOOL, 1, 0, {}},
                                           {text("count"), POSTBUS_PROPERTY_INTEGER, -3, 0, {}},
                                           {text("share"), POSTBUS_PROPERTY_REAL, 0, 0.5, {}},
                                           {text("word"), POSTBUS_PROPERTY_TEXT, 0, 0, text("x")}};
    given.properties = properties;
    given.property_count = 4;
    given.property_size = sizeof(postbus_property);
    send(client, "q", given);

    Told told;
    receive(client, "q", milliseconds(5000), told, true, "count = -3 AND word = 'x' AND JMSPriority = 9");

    BOOST_REQUIRE(told.delivery);
    const postbus_message& come = *told.delivery->message;
    BOOST_TEST(text(come.body) == "body");
    BOOST_TEST(text(come.content_type) == "text/plain");
    BOOST_TEST(text(come.id) == "ID:mine");
    BOOST_TEST(text(come.correlation_id) == "c");
    BOOST_TEST(text(come.reply_to) == "answers");
    BOOST_TEST(text(come.type) == "t");
    BOOST_TEST(text(come.group) == "g");
    BOOST_TEST(come.group_sequence == 7);
    BOOST_TEST(come.priority == 9u);
    BOOST_TEST(come.persistent == 0u);
    BOOST_TEST(come.expires - come.timestamp == 60'000);
    BOOST_REQUIRE(come.property_count == 4u);
    for (std::uint32_t i = 0; i < 4; ++i) {
        BOOST_TEST(text(come.properties[i].name) == text(properties[i].name));
        BOOST_TEST(come.properties[i].kind == properties[i].kind);
        BOOST_TEST(come.properties[i].integer == properties[i].integer);
        BOOST_TEST(come.properties[i].real == properties[i].real);
        BOOST_TEST(text(come.properties[i].text) == text(properties[i].text));
    }
    BOOST_TEST(text(told.delivery->queue) == "q");
    BOOST_TEST(told.delivery->count == 1u);
    BOOST_TEST(told.delivery->redelivered == 0u);
    Handler::done(told.delivery);
    BOOST_TEST(postbus::test::eventually([&] { return house.depth("q") == 0; }));
}

BOOST_AUTO_TEST_CASE(says_what_is_refused_and_why) {
    House house;
    Service service;
    Client client(house.hub, service);
    queues::QueueSettings small;
    small.maxMessages = 1;
    small.maxMessageSize = ByteSize{10};
    BOOST_REQUIRE(house.its().declareQueue("small", small));

    const auto kind = [&](std::string_view queue, const postbus_message& given) {
        return int(send(client, queue, given));
    };
    BOOST_TEST(kind("small", message("12345678901")) == POSTBUS_QUEUE_TOO_LARGE);
    BOOST_TEST(kind("small", message("1")) == POSTBUS_QUEUE_DONE);
    BOOST_TEST(kind("small", message("2")) == POSTBUS_QUEUE_UNAVAILABLE);
    BOOST_TEST(kind("topic/x", message("1")) == POSTBUS_QUEUE_NOT_FOUND);
    BOOST_TEST(kind("", message("1")) == POSTBUS_QUEUE_INVALID);
    BOOST_TEST(kind("tab\tbed", message("1")) == POSTBUS_QUEUE_INVALID);
    postbus_message bad = message("1");
    bad.correlation_id = text("\xff");
    BOOST_TEST(kind("q", bad) == POSTBUS_QUEUE_INVALID);
    bad = message("1");
    bad.priority = 10;
    BOOST_TEST(kind("q", bad) == POSTBUS_QUEUE_INVALID);
    bad = message("1");
    const postbus_property nothing{text("p"), 9, 0, 0, {}};
    bad.properties = &nothing;
    bad.property_count = 1;
    bad.property_size = sizeof nothing;
    BOOST_TEST(kind("q", bad) == POSTBUS_QUEUE_INVALID);
    bad.size = 8;
    BOOST_TEST(kind("q", bad) == POSTBUS_QUEUE_INVALID);
    BOOST_TEST(house.depth("q") == 0u);
}

BOOST_AUTO_TEST_CASE(says_that_the_store_does_not_open_and_goes_on_when_it_does) {
    House house;
    Service service;
    Client client(house.hub, service);
    house.trouble = Error(Error::Kind::Internal, "no disk");
    Told told;
    const postbus_destination destination = to("q");
    const postbus_message given = message("1");

    client.send(&destination, &given, true, Told::take, &told);

    BOOST_TEST(int(told.kind) == POSTBUS_QUEUE_FAILED);
    BOOST_TEST(told.reason == "no disk");
    house.trouble.reset();
    BOOST_TEST(int(send(client, "q", "2")) == POSTBUS_QUEUE_DONE);
}

BOOST_AUTO_TEST_CASE(keeps_the_order_of_those_that_wait_for_the_opening) {
    constexpr int count = 200;
    House house;
    Service service;
    Client client(house.hub, service);
    std::vector<std::unique_ptr<Told>> all;
    const postbus_destination destination = to("q");
    for (int i = 0; i < count; ++i) {
        const std::string body = std::to_string(i);
        const postbus_message given = message(body);
        client.send(&destination, &given, false, Told::take, all.emplace_back(std::make_unique<Told>()).get());
    }

    BOOST_TEST(postbus::test::eventually([&] { return service.inside == 0; }));

    for (const auto& each : all) BOOST_TEST(each->times == 1);
    queues::BrowseQuery query;
    query.limit = count;
    query.bodies = true;
    const auto found = house.its().browse("q", query);
    BOOST_REQUIRE(found);
    BOOST_REQUIRE(found->size() == std::size_t{count});
    for (int i = 0; i < count; ++i) BOOST_TEST((*found)[std::size_t(i)].message->body == std::to_string(i));
}

BOOST_AUTO_TEST_CASE(does_not_wait_on_a_loop) {
    House house;
    Service service;
    Client client(house.hub, service);
    Told told;
    std::atomic<bool> over{false};

    BOOST_REQUIRE(house.hub.post([&] {
        receive(client, "q", std::chrono::hours(1), told);
        over = true;
    }));

    BOOST_TEST(postbus::test::eventually([&] { return over.load(); }));
    BOOST_TEST(int(told.kind) == POSTBUS_QUEUE_BLOCKING);
}

BOOST_AUTO_TEST_CASE(is_refused_at_the_end_of_the_bus_and_told_so) {
    House house;
    Service service;
    Client client(house.hub, service);
    queues::QueueSettings full;
    full.maxMessages = 1;
    full.overflow = queues::Overflow::Wait;
    BOOST_REQUIRE(house.its().declareQueue("q", full));
    send(client, "q", "1");
    Told parked;
    const postbus_destination destination = to("q");
    const postbus_message given = message("2");
    client.send(&destination, &given, false, Told::take, &parked);
    BOOST_TEST(parked.times == 0);

    house.close();
    house.hub.stop();

    BOOST_TEST(parked.times == 1);
    BOOST_TEST(int(parked.kind) == POSTBUS_QUEUE_UNAVAILABLE);
    BOOST_TEST(int(send(client, "q", "3")) == POSTBUS_QUEUE_UNAVAILABLE);
    BOOST_TEST(service.inside == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace postbus::messaging::test
