#include <boost/test/unit_test.hpp>

#include "tests/unit/server_config/loading.hpp"

using namespace postbus;

BOOST_AUTO_TEST_SUITE(destinations)

BOOST_AUTO_TEST_CASE(an_endpoint_may_lead_to_a_queue_or_a_topic) {
    const auto config = readDaemon(
        "endpoints:\n"
        "  Orders: {http: /orders, to: 'queue:orders', send: {pattern: InOnly, persistent: false, priority: 9,\n"
        "           time-to-live: 2s}}\n"
        "  Ask: {to: 'queue:ask'}\n"
        "  News: {to: 'topic:news'}\n");
    using server::sendingOf;

    BOOST_TEST(config.endpoints.at("Orders").leadsOut());
    BOOST_TEST((sendingOf(config.endpoints.at("Orders")) ==
                destination::Sending{core::Pattern::InOnly, false, 9, milliseconds(2'000)}));
    BOOST_TEST((sendingOf(config.endpoints.at("Ask")).pattern == core::Pattern::InOut));
    BOOST_TEST((sendingOf(config.endpoints.at("News")).pattern == core::Pattern::InOnly));
}

BOOST_AUTO_TEST_CASE(an_endpoint_may_take_from_a_topic) {
    const auto config = readDaemon(
        "endpoints:\n"
        "  A: {topic: news}\n"
        "  B: {topic: {name: news, subscription: both, durable: false, selector: 'JMSPriority > 5', consumers: 3,\n"
        "              retry: {attempts: 2, delay: 5s}, dead-letter: lost}}\n");

    BOOST_TEST(config.endpoints.at("A").topic->name == "news");
    BOOST_TEST(config.endpoints.at("A").topic->durable);
    BOOST_TEST(config.endpoints.at("B").topic->subscription == "both");
    BOOST_TEST(config.endpoints.at("B").topic->consumers == 3u);
    const queues::QueueSettings its = config.endpoints.at("B").topic->settings();
    BOOST_TEST(its.maxDeliveries == 2u);
    BOOST_TEST(its.redeliveryDelay.count() == 5'000);
    BOOST_TEST(its.redeliveryMultiplier == queues::QueueSettings().redeliveryMultiplier);
    BOOST_TEST(its.deadLetter == "lost");
    BOOST_CHECK(config.endpoints.at("A").topic->settings() == queues::QueueSettings());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_sent_is_refused_with_a_remedy) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {to: 'queue:'}\n"
        "  B: {to: 'queue:temp.x'}\n"
        "  C: {to: 'queue:c', queue: c}\n"
        "  D: {to: 'topic:d', topic: d}\n"
        "  E: {to: 'queue:e', send: {pattern: out-in}}\n"
        "  F: {to: 'queue:f', send: {pattern: in-and-out, priority: 10}}\n"
        "  G: {to: 'topic:g', send: {pattern: in-out}}\n"
        "  H: {to: 'service:H', send: {}}\n"
        "  I: {to: 'queue:i', interceptors: [validate]}\n"
        "  J: {to: 'queue:j', backend: {keep: 1}}\n",
        {"p.yaml:2:11: endpoints.A.to: 'queue:' names no queue",
         "p.yaml:3:11: endpoints.B.to: 'temp.x': names of queues don't begin with topic/ or temp.",
         "p.yaml:4:11: endpoints.C.to: is where the endpoint takes its messages from; they would run in a circle",
         "p.yaml:5:11: endpoints.D.to: is where the endpoint takes its messages from; they would run in a circle",
         "p.yaml:6:38: endpoints.E.send.pattern: 'out-in' begins with the service; an endpoint's callers begin here, "
         "so "
         "it is in-only, robust-in-only, in-out or in-opt-out",
         "p.yaml:7:38: endpoints.F.send.pattern: 'in-and-out' is no exchange pattern; write in-only, robust-in-only, "
         "in-out or in-opt-out",
         "p.yaml:7:60: endpoints.F.send.priority: is more than 9",
         "p.yaml:8:38: endpoints.G.send.pattern: 'in-out' is no pattern for a topic, whose messages are in-only",
         "p.yaml:9:30: endpoints.H.send: stands at an endpoint that sends nothing; it is for `to: queue:NAME` and `to: "
         "topic:NAME`",
         "p.yaml:10:36: endpoints.I.interceptors: stands at an endpoint that passes messages on as they are; it has "
         "none",
         "p.yaml:11:31: endpoints.J.backend: stands at an endpoint that leads to a queue or topic; it is for "
         "`to: http://...`"});
}

BOOST_AUTO_TEST_CASE(a_service_may_send_messages_of_its_own) {
    auto config = readDaemon(
        "endpoints:\n"
        "  Shop:\n"
        "    to: service:Stock\n"
        "    out:\n"
        "      priceChanged: 'topic:prices'\n"
        "      confirm: {to: 'http://127.0.0.1:9000/cb', timeout: 5s, backend: {keep: 2}}\n"
        "      order: {to: 'queue:orders', send: {persistent: false}}\n");

    const auto all = server::withOut(config.endpoints);

    BOOST_TEST(all.size() == 4u);
    BOOST_TEST(all.at("Stock#priceChanged").to == "topic:prices");
    BOOST_TEST(all.at("Stock#priceChanged").http->empty());
    BOOST_TEST(all.at("Stock#confirm").limits.timeout.count() == 5'000);
    BOOST_TEST(all.at("Stock#confirm").backend.has_value());
    BOOST_TEST(!sendingOf(all.at("Stock#order")).persistent);
}

BOOST_AUTO_TEST_CASE(what_a_service_cannot_send_is_refused_with_a_remedy) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {out: {m: 'service:B'}}\n"
        "  B: {out: {m: 'queue:'}}\n"
        "  C: {to: 'queue:c', out: {m: 'queue:d'}}\n"
        "  D: {out: {m: {to: 'queue:d', send: {pattern: out-only}, backend: {keep: 1}}}}\n"
        "  E: {out: {m: {to: 'http://there/', send: {priority: 1}}}}\n"
        "  F: {out: {m: 'queue:f'}}\n"
        "  G: {to: 'service:F', out: {m: 'queue:g'}}\n"
        "  'H#m': {}\n"
        "  H: {out: {m: 'queue:h'}}\n"
        "  I: {out: {m: {timeout: 1s}}}\n"
        "  J: {out: {m: {addresses: ['http://*', 'jms:queue:ok', 'mailto:x'], backend: {keep: 1}}}}\n"
        "  K: {out: {m: {addresses: ['http://there/*'], send: {priority: 1}, backend: {redirects: 21}}}}\n"
        "  L: {out: {m: {addresses: ['http://there/*', 'jms:queue:ok'], send: {priority: 10}}}}\n",
        {"p.yaml:2:16: endpoints.A.out.m: 'service:B' can't take messages; write queue:NAME, topic:NAME or "
         "http://HOST:PORT/PATH",
         "p.yaml:3:16: endpoints.B.out.m: 'queue:' names no queue",
         "p.yaml:4:27: endpoints.C.out: stands at an endpoint that leads to no service of this bus; only a service "
         "sends messages",
         "p.yaml:5:48: endpoints.D.out.m.send.pattern: is the service's to say, which begins the exchange",
         "p.yaml:5:68: endpoints.D.out.m.backend: is for http:// addresses",
         "p.yaml:6:44: endpoints.E.out.m.send: is for queue:NAME, topic:NAME and jms: addresses",
         "p.yaml:8:33: endpoints.G.out.m: endpoint 'F' says already where 'm' of this service goes to",
         "p.yaml:10:16: endpoints.H.out.m: is known as 'H#m', which is an endpoint as well",
         "p.yaml:11:16: endpoints.I.out.m: leads nowhere; give it to: queue:NAME, topic:NAME or http://HOST:PORT/PATH, "
         "or addresses that its messages may name",
         "p.yaml:12:29: endpoints.J.out.m.addresses[0]: 'http://*' has a '*' before its path; write all of the host "
         "and port, and a '/'",
         "p.yaml:12:57: endpoints.J.out.m.addresses[2]: 'mailto:x' is no address that this bus sends to; write "
         "http://HOST:PORT/PATH or jms:queue:NAME",
         "p.yaml:13:54: endpoints.K.out.m.send: is for queue:NAME, topic:NAME and jms: addresses",
         "p.yaml:13:90: endpoints.K.out.m.backend.redirects: is more than 20",
         "p.yaml:14:81: endpoints.L.out.m.send.priority: is more than 9"});
}

BOOST_AUTO_TEST_CASE(what_cannot_be_subscribed_to_is_refused_with_a_remedy) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {topic: ''}\n"
        "  B: {topic: {name: b, selector: 'a >'}}\n"
        "  C: {topic: {name: c, consumers: 0, prefetch: 0}}\n"
        "  D: {topic: {name: d, retry: {multiplier: 0}, dead-letter: temp.x}}\n",
        {"p.yaml:2:14: endpoints.A.topic: is empty; name a topic",
         "p.yaml:3:34: endpoints.B.topic.selector: 'a >': selector, at character 4: expected a value, found the end",
         "p.yaml:4:35: endpoints.C.topic.consumers: is 0; leave the topic out if nothing is to be taken from it",
         "p.yaml:4:48: endpoints.C.topic.prefetch: is 0; a consumer holds at least the message it works on",
         "p.yaml:5:44: endpoints.D.topic.retry.multiplier: is 0; 1 keeps the delay as it is",
         "p.yaml:5:61: endpoints.D.topic.dead-letter: 'temp.x': names of queues don't begin with topic/ or temp."});
}

BOOST_AUTO_TEST_SUITE_END()
