#include <boost/test/unit_test.hpp>

#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "admin/admin_binding.hpp"
#include "admin/admin_endpoint.hpp"
#include "queues/store/memory_store.hpp"
#include "tests/support/port_caller.hpp"

using namespace postbus;

namespace {

/// A daemon that is nothing but queues.
class QueuesAlone : public admin::Management {
public:
    QueuesAlone() {
        engine_ = std::move(*queues::Engine::open(std::make_unique<queues::MemoryStore>()));
        engine_->start();
    }
    admin::ReadyReport ready() const override { return {}; }
    admin::StatusReport status() const override { return {}; }
    std::vector<admin::EndpointReport> endpoints() const override { return {}; }
    std::vector<admin::PluginReport> plugins() const override { return {}; }
    admin::ExchangesReport exchanges() const override { return {}; }
    admin::ReloadReport reload() override { return {}; }
    Result<std::shared_ptr<queues::Engine>> queues(Need) override { return engine_; }

    /// Kept in memory alone: all that is confirmed is confirmed within the call.
    void send(std::string body) {
        queues::Message message;
        message.body = std::move(body);
        message.contentType = "odd/type";
        message.persistent = false;
        engine_->send("q", std::move(message), [](const Result<void>&) {});
    }
    queues::QueueStatus figures() const { return *engine_->status("q"); }
    void declare(const char* name) { BOOST_REQUIRE(engine_->declareQueue(name, {})); }
    std::size_t count() const { return engine_->status().size(); }

private:
    std::shared_ptr<queues::Engine> engine_;
};

/// This thread as a loop that others post to.
class SharedLoop : public Executor {
public:
    void post(std::function<void()> task) override {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
    }
    bool here() const override { return std::this_thread::get_id() == thread_; }
    void setTimer(Timer& timer, TimePoint when) override { wheel_.set(timer, when); }
    void cancelTimer(Timer& timer) override { wheel_.cancel(timer); }
    void run() {
        while (auto task = next()) task();
    }

private:
    std::function<void()> next() {
        const std::lock_guard lock(mutex_);
        if (tasks_.empty()) return {};
        auto first = std::move(tasks_.front());
        tasks_.pop_front();
        return first;
    }
    std::mutex mutex_;
    std::deque<std::function<void()>> tasks_;
    TimerWheel wheel_{Clock::now()};
    const std::thread::id thread_ = std::this_thread::get_id();
};

/// One caller, with a connection that takes the answer when the test says so.
class QueueCaller {
public:
    explicit QueueCaller(QueuesAlone& queues) : workers_(1, 4), port_(routes_, workers_), pool_(loop_) {
        auto endpoint = std::make_shared<admin::AdminEndpoint>(queues);
        auto table = std::make_shared<core::RouteTable>();
        core::Route route;
        route.name = "admin";
        route.endpoint = endpoint;
        route.bindings.push_back(std::make_shared<admin::AdminBinding>(admin::Guard(""), endpoint->contract()));
        table->setFallback(std::move(route));
        routes_.set(std::move(table));
    }

    struct Given final : core::Replier {
        void answer(core::WireAnswer&& given) override {
            status = given.status;
            contentType = given.contentType;
            body = given.body.view();
            length = given.length;
            stream = std::move(given.stream);
        }
        int status = 0;
        std::string contentType, body;
        std::optional<std::uint64_t> length;
        std::shared_ptr<core::BodyPipe> stream;
    };

    std::shared_ptr<Given> ask(const std::string& path, const std::string& query, const std::string& method = "POST") {
        asked_.method = method;
        asked_.path = path;
        asked_.query = query;
        core::WireRequest wire = asked_.wire();
        wire.head.local = wire.head.takesStreams = true;
        auto given = std::make_shared<Given>();
        core::Admission admission = port_.admit(wire.head);
        ref_ = port_.receive(pool_, std::move(admission), wire, core::ReplyTo(given), milliseconds(0));
        return given;
    }
    /// Until the operation has ended and the loop has nothing to do.
    void finish() {
        workers_.stop();
        loop_.run();
    }
    void goAway() {
        ref_.abandon();
        loop_.run();
    }
    void take(Given& given) {
        for (; given.stream && !given.stream->peek().empty(); loop_.run()) {
            given.body += given.stream->peek();
            given.stream->consume(given.stream->peek().size());
        }
    }

private:
    test::Request asked_;  // the exchange looks at it for as long as it lives
    Snapshot<core::RouteTable> routes_;
    core::WorkerPool workers_;
    core::InboundPort port_;
    SharedLoop loop_;
    core::ExchangePool pool_;
    core::ExchangeRef ref_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(queue_answers)

BOOST_AUTO_TEST_CASE(a_message_is_acknowledged_when_its_body_has_been_taken) {
    QueuesAlone queues;
    const std::string body("one\0\n", 5);
    queues.send(body);
    QueueCaller caller(queues);
    const auto given = caller.ask("/queues/receive", "queue=q&body=raw");
    caller.finish();
    BOOST_TEST(given->status == 200);
    BOOST_TEST(given->contentType == "odd/type");
    BOOST_TEST(given->length.value() == body.size());
    BOOST_REQUIRE(given->stream);
    BOOST_TEST(queues.figures().acknowledged == 0u);
    BOOST_TEST(queues.figures().inFlight == 1u);

    caller.take(*given);

    BOOST_TEST(given->body == body);
    BOOST_TEST((given->stream->state() == core::BodyPipe::State::Ended));
    BOOST_TEST(queues.figures().acknowledged == 1u);
    BOOST_TEST(queues.figures().consumers == 0u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_gives_all_of_the_answer_back) {
    QueuesAlone queues;
    for (const char* each : {"one", "two"}) queues.send(each);
    {
        QueueCaller caller(queues);
        const auto given = caller.ask("/queues/receive", "queue=q&count=2");
        caller.finish();
        BOOST_TEST(given->contentType == "application/json");
        BOOST_TEST(queues.figures().inFlight == 2u);
        given->stream->close();
        given->stream.reset();
    }
    BOOST_TEST(queues.figures().ready == 2u);

    QueueCaller next(queues);
    const auto given = next.ask("/queues/receive", "queue=q&count=3");
    next.finish();
    next.take(*given);

    BOOST_TEST(given->body.find(R"("body":"one")") < given->body.find(R"("body":"two")"));
    BOOST_TEST(given->body.find(R"("deliveries":1,"redelivered":true)") != std::string::npos);
    BOOST_TEST(queues.figures().acknowledged == 2u);
}

BOOST_AUTO_TEST_CASE(a_caller_that_goes_while_it_waits_is_given_nothing) {
    QueuesAlone queues;
    queues.send("one");
    QueueCaller caller(queues);
    const TimePoint begun = Clock::now();
    const auto given = caller.ask("/queues/receive", "queue=q&count=2&wait=40s");
    while (queues.figures().inFlight == 0) std::this_thread::yield();

    caller.goAway();
    caller.finish();

    BOOST_TEST(given->status == 0);
    BOOST_TEST((Clock::now() - begun < std::chrono::seconds(30)));
    BOOST_TEST(queues.figures().ready == 1u);
    BOOST_TEST(queues.figures().acknowledged == 0u);
}

BOOST_AUTO_TEST_CASE(nothing_is_a_204_without_a_body) {
    QueuesAlone queues;
    queues.send("one");
    QueueCaller caller(queues);

    queues.declare("other");
    const auto given = caller.ask("/queues/receive", "queue=other&body=raw");
    caller.finish();

    BOOST_TEST(given->status == 204);
    BOOST_TEST(!given->stream);
    BOOST_TEST(given->body.empty());
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_not_there_is_told_of_and_not_made) {
    QueuesAlone queues;
    queues.send("one");
    const std::pair<const char*, const char*> asked[] = {
        {"/queues/browse", "GET"}, {"/queues/receive", "POST"}, {"/queues/purge", "POST"},  {"/queues/move", "POST"},
        {"/queues/retry", "POST"}, {"/queues/pause", "POST"},   {"/queues/resume", "POST"}, {"/queues/remove", "POST"}};
    for (const auto& [path, method] : asked)
        for (const auto& [name, told] :
             {std::pair("qq", "there is no queue 'qq', did you mean 'q'?"),
              std::pair("far", "there is no queue 'far'; postbus queue list shows those there are")}) {
            QueueCaller caller(queues);
            const auto given = caller.ask(path, std::string("to=q&queue=") + name, method);
            caller.finish();

            BOOST_TEST(given->status == 404, path);
            BOOST_TEST(given->body.find(told) != std::string::npos, path << ": " << given->body);
        }
    BOOST_TEST(queues.count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_receiver_may_wait_for_a_queue_that_comes_later) {
    QueuesAlone queues;
    QueueCaller caller(queues);
    const auto given = caller.ask("/queues/receive", "queue=q&body=raw&wait=30s");
    std::this_thread::sleep_for(milliseconds(50));
    queues.send("late");
    caller.finish();

    BOOST_TEST(given->status == 200);
    caller.take(*given);
    BOOST_TEST(given->body == "late");
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_queue_that_does_not_come_ends) {
    QueuesAlone queues;
    QueueCaller caller(queues);
    const auto given = caller.ask("/queues/receive", "queue=q&wait=50ms");
    caller.finish();

    BOOST_TEST(given->status == 404);
    BOOST_TEST(queues.count() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
