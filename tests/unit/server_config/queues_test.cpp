#include <boost/test/unit_test.hpp>

#include "tests/unit/server_config/loading.hpp"

using namespace postbus;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(queues)

BOOST_AUTO_TEST_CASE(an_endpoint_names_its_queue_in_short_or_at_length) {
    const auto config = readDaemon(
        "endpoints:\n"
        "  A: {queue: a.requests}\n"
        "  B: {queue: {name: b, consumers: 4, prefetch: 20, retry: {attempts: 3, delay: 2s}, dead-letter: dead}}\n"
        "queues:\n"
        "  b: {max-messages: 10, redelivery-multiplier: 2, dead-letter: other}\n"
        "  c: {overflow: wait}\n");

    BOOST_TEST(config.endpoints.at("A").queue->name == "a.requests");
    BOOST_TEST(config.endpoints.at("A").queue->consumers == 1u);
    BOOST_TEST(config.endpoints.at("B").queue->consumers == 4u);
    BOOST_TEST(config.endpoints.at("B").queue->prefetch == 20u);

    const auto all = server::queuesOf(config);
    BOOST_TEST(all.size() == 3u);
    BOOST_TEST((all.at("a.requests") == postbus::queues::QueueSettings{}));
    const auto& b = all.at("b");
    BOOST_TEST(b.maxMessages == 10u);
    BOOST_TEST(b.maxDeliveries == 3u);
    BOOST_TEST((b.redeliveryDelay == 2s));
    BOOST_TEST(b.redeliveryMultiplier == 2u);
    BOOST_TEST((b.maxRedeliveryDelay == 300s));
    BOOST_TEST(b.deadLetter == "dead");
    BOOST_TEST((all.at("c").overflow == postbus::queues::Overflow::Wait));
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {queue: {consumers: 0, prefetch: 0}}\n"
        "  B: {queue: temp.x}\n"
        "  C: {queue: same}\n"
        "  D: {queue: same}\n"
        "queues:\n"
        "  x: {redelivery-multiplier: 0}\n",
        {"p.yaml:2:14: endpoints.A.queue.name: is empty; name a queue",
         "p.yaml:2:26: endpoints.A.queue.consumers: is 0; leave the queue out if nothing is to be taken from it",
         "p.yaml:2:39: endpoints.A.queue.prefetch: is 0; a consumer holds at least the message it works on",
         "p.yaml:3:14: endpoints.B.queue: 'temp.x': names of queues don't begin with topic/ or temp.",
         ("p.yaml:5:14: endpoints.D.queue: queue 'same' leads to endpoint 'C' already; each message would go to either "
          "of them"),
         "p.yaml:7:30: queues.x.redelivery-multiplier: is 0; 1 keeps the delay as it is"});
}

BOOST_AUTO_TEST_CASE(a_misspelt_key_is_one_problem_and_not_two) {
    checkDaemonProblems(
        "endpoints:\n"
        "  A: {queue: {nam: x}}\n"
        "  B: {topic: {nmae: x}}\n"
        "  C: {queue: {prefetc: 3}}\n",
        {"p.yaml:2:15: endpoints.A.queue: unknown key 'nam', did you mean 'name'?",
         "p.yaml:3:15: endpoints.B.topic: unknown key 'nmae', did you mean 'name'?",
         "p.yaml:4:14: endpoints.C.queue.name: is empty; name a queue",
         "p.yaml:4:15: endpoints.C.queue: unknown key 'prefetc', did you mean 'prefetch'?"});
}

BOOST_AUTO_TEST_SUITE_END()
