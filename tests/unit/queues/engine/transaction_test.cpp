#include "tests/unit/queues/engine/engine_rig.hpp"

using namespace postbus;
using namespace postbus::queues;
using namespace postbus::queues::test;

BOOST_AUTO_TEST_SUITE(transaction)

BOOST_AUTO_TEST_CASE(shows_sends_and_acknowledgements_at_the_commit_in_one_batch) {
    EngineRig rig;
    Inbox in, out, other;
    rig.send("in", "request");
    rig.consume("in", in);
    rig.consume("out", out);
    rig.consume("other", other);
    rig.send("out", "first");
    rig.send("other", "first");
    const TransactionId id = rig.session().begin();
    BOOST_REQUIRE(rig.session().send(id, "out", message("answer")));
    BOOST_REQUIRE(rig.session().send(id, "other", message("copy")));
    BOOST_REQUIRE(rig.session().acknowledge(id, in.id, in.take().tag));
    rig.settle();
    BOOST_TEST(out.bodies() == "first");
    BOOST_TEST(rig.status("in").inFlight == 1u);
    const int before = rig.store().commits;

    std::optional<Result<void>> done;
    rig.session().commit(id, rig.note(done));
    BOOST_TEST(rig.store().commits == before + 1);
    BOOST_TEST(!done);
    rig.settle();

    BOOST_TEST((done && *done));
    BOOST_TEST(out.bodies() == "first answer");
    BOOST_TEST(other.bodies() == "first copy");
    BOOST_TEST(rig.status("in").depth() == 0u);
}

BOOST_AUTO_TEST_CASE(leaves_nothing_of_an_uncommitted_one_after_a_crash) {
    EngineRig rig;
    Inbox in;
    rig.send("in", "request");
    rig.send("out", "before");
    rig.consume("in", in);
    const TransactionId id = rig.session().begin();
    BOOST_REQUIRE(rig.session().send(id, "out", message("answer")));
    BOOST_REQUIRE(rig.session().acknowledge(id, in.id, in.take().tag));
    rig.session().commit(id, [](const Result<void>&) {});  // the store has not got to it

    rig.crash();

    Inbox again, out;
    rig.consume("in", again);
    rig.consume("out", out);
    BOOST_TEST(again.bodies() == "request");
    BOOST_TEST(out.bodies() == "before");
}

BOOST_AUTO_TEST_CASE(counts_an_attempt_when_it_is_rolled_back) {
    EngineRig rig;
    Inbox in;
    rig.send("in", "request");
    rig.consume("in", in);
    const TransactionId id = rig.session().begin();
    BOOST_REQUIRE(rig.session().send(id, "out", message("answer")));
    BOOST_REQUIRE(rig.session().acknowledge(id, in.id, in.take().tag));

    BOOST_REQUIRE(rig.session().rollBack(id));
    rig.settle();
    BOOST_TEST(in.deliveries.empty());
    rig.pass(std::chrono::seconds(1));

    BOOST_REQUIRE(in.deliveries.size() == 1u);
    BOOST_TEST(in.deliveries[0].count == 2u);
    BOOST_TEST(rig.status("out").depth() == 0u);
    BOOST_TEST(!rig.session().rollBack(id));
}

BOOST_AUTO_TEST_CASE(rolls_back_when_its_session_ends) {
    EngineRig rig;
    Inbox in;
    rig.send("in", "request");
    rig.consume("in", in);
    const TransactionId id = rig.session().begin();
    BOOST_REQUIRE(rig.session().acknowledge(id, in.id, in.take().tag));

    rig.use("next");
    rig.settle();

    BOOST_TEST(rig.status("in").scheduled == 1u);
}

BOOST_AUTO_TEST_CASE(is_refused_whole_when_one_queue_has_no_room) {
    EngineRig rig;
    QueueSettings small;
    small.maxMessages = 1;
    BOOST_REQUIRE(rig.engine().declareQueue("small", small));
    Inbox in;
    rig.send("in", "request");
    rig.consume("in", in);
    const TransactionId id = rig.session().begin();
    BOOST_REQUIRE(rig.session().send(id, "out", message("answer")));
    BOOST_REQUIRE(rig.session().send(id, "small", message("copy")));
    BOOST_REQUIRE(rig.session().acknowledge(id, in.id, in.take().tag));
    rig.send("small", "in between");

    std::optional<Result<void>> done;
    rig.session().commit(id, rig.note(done));
    rig.settle();

    BOOST_REQUIRE((done && !*done));
    BOOST_TEST((done->error().kind() == Error::Kind::Unavailable));
    BOOST_TEST(rig.status("out").depth() == 0u);
    BOOST_TEST(rig.status("small").depth() == 1u);
    BOOST_TEST(in.bodies() == "request");
}

BOOST_AUTO_TEST_CASE(belongs_to_its_session) {
    EngineRig rig;
    auto other = rig.engine().connect("other");
    const TransactionId id = rig.session().begin();

    BOOST_TEST(!other->send(id, "q", message("m")));
    BOOST_TEST(!other->rollBack(id));
    std::optional<Result<void>> done;
    other->commit(id, rig.note(done));
    BOOST_TEST((done && !*done));
}

BOOST_AUTO_TEST_SUITE_END()
