// What every transport promises the bus, whatever it speaks. A new one joins by adding its rig to the tuple.
//
// A rig has
//     explicit Rig(core::Bus&);                    a transport that listens; the bus has the test service as its
//     fallback static constexpr std::size_t bodyLimit;      of a request; larger ones are refused static constexpr
//     milliseconds exchangeTime;  the transport's limit Caller connect();                            one that may call
//     void reload();                               the same configuration once more
//     std::size_t stop(TimePoint deadline);        as the transport's: how many exchanges got a fault at the deadline
//     std::int64_t connections();                  open now
// and its Caller
//     void send(std::string_view body);            a request; several may be on their way
//     Reply receive();                             the next answer; throws when none comes
//     void leave();                                goes away without a word
//
// Calls from inside of the bus (transports/inproc) keep what needs no connection and no bytes: AllRigs. What is
// cancelled with its caller says tests/unit/transports/inproc.
//
// Queues (transports/queue) keep what needs no connection: WireRigs. Nothing of a caller that could be counted, left or
// waited for at a stop; what is open then is not answered but kept, as tests/unit/transports/queue shows. The rig has
// one attempt for each message, so that what may pass is told at once instead of tried again, and its callers find
// their answers by correlation.
#include <boost/test/unit_test.hpp>

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "base/log/event.hpp"
#include "core/bus.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/raw_client.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_service.hpp"
#include "transports/http/access_log.hpp"
#include "transports/http/http_transport.hpp"
#include "transports/inproc/invocation.hpp"
#include "transports/queue/queue_loop.hpp"
#include "transports/queue/queue_transport.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

struct Reply {
    bool fault = false;
    std::string body;
};

class HttpRig {
public:
    static constexpr std::size_t bodyLimit = 100'000;
    static constexpr milliseconds exchangeTime{2'000};

    class Caller {
    public:
        explicit Caller(const std::string& address) : client_(address) {}
        void send(std::string_view body) {
            client_.send("POST /service HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
                         "\r\n\r\n");
            if (!client_.trySend(body)) return;  // refused by its head
        }
        Reply receive() {
            const Response response = client_.read();
            return {response.status >= 400, response.body};
        }
        void leave() { client_.reset(); }

    private:
        RawClient client_;
    };

    explicit HttpRig(core::Bus& bus) : transport_(bus, "http", 2) {
        log::configure({.format = log::Format::Text, .level = log::Level::Error, .descriptor = 2});
        http::configureAccessLog({.enabled = false, .json = false, .descriptor = 2});
        config_.listen[0].address = "127.0.0.1:0";
        config_.limits.body = {bodyLimit};
        config_.limits.exchangeTime = exchangeTime;
        reload();
    }
    Caller connect() const { return Caller(transport_.listeners().at(0).address); }
    void reload() {
        auto preparation = transport_.prepare(config_);
        BOOST_REQUIRE(preparation);
        transport_.apply(std::move(*preparation));
    }
    std::size_t stop(TimePoint deadline) { return transport_.stop(deadline); }
    std::int64_t connections() const { return transport_.figures().connections; }

private:
    http::HttpConfig config_;
    http::HttpTransport transport_;
};

/// Another service of the bus: what is a body elsewhere is the text of an element.
class InprocRig {
public:
    static constexpr milliseconds exchangeTime{2'000};

    class Caller {
    public:
        explicit Caller(core::Bus& bus) : bus_(bus) {}
        void send(std::string_view body) {
            const std::string_view word = body.substr(0, body.find(' '));
            const bool waits = word == "pool" || word == "slow";
            const auto call = inproc::Invocation::begin(bus_, nullptr, "Test");
            call->writer().start("urn:test", word == "unreadable" ? "unknown" : waits ? "later" : "now");
            call->writer().text(body);
            call->writer().end();
            call->limit(Clock::now() + exchangeTime);
            asked_.push_back(std::make_shared<Asked>());
            call->send(take, new std::shared_ptr<Asked>(asked_.back()));
        }
        Reply receive() {
            const auto first = asked_.front();
            asked_.pop_front();
            std::unique_lock lock(first->mutex);
            if (!first->arrived.wait_for(lock, std::chrono::seconds(60), [&] { return first->reply.has_value(); }))
                throw std::runtime_error("no answer came");
            return *first->reply;
        }

    private:
        struct Asked {
            std::mutex mutex;
            std::condition_variable arrived;
            std::optional<Reply> reply;
        };
        static void take(void* context, const inproc::Outcome& outcome) {
            const std::unique_ptr<std::shared_ptr<Asked>> asked(static_cast<std::shared_ptr<Asked>*>(context));
            const std::lock_guard lock((*asked)->mutex);
            if (outcome.fault)
                (*asked)->reply = Reply{true, "fault: " + outcome.fault->reason};
            else
                (*asked)->reply = Reply{false, outcome.tape ? outcome.tape->root().text() : std::string("nothing")};
            (*asked)->arrived.notify_one();
        }

        core::Bus& bus_;
        std::deque<std::shared_ptr<Asked>> asked_;
    };

    explicit InprocRig(core::Bus& bus) : bus_(bus), loop_(bus) {}
    Caller connect() const { return Caller(bus_); }
    std::size_t stop(TimePoint deadline) { return !std::exchange(stopped_, true) && !loop_.finish(deadline); }

private:
    core::Bus& bus_;
    queue::QueueLoop loop_;
    bool stopped_ = false;
};

/// A queue that the service takes from; callers have temporary queues of their own for the answers.
class QueueRig {
public:
    static constexpr std::size_t bodyLimit = 100'000;
    static constexpr milliseconds exchangeTime{2'000};

    class Caller {
    public:
        explicit Caller(queues::Engine& engine) : inbox_(std::make_shared<Inbox>()), session_(engine.connect()) {
            const auto queue = session_->temporaryQueue();
            BOOST_REQUIRE(queue);
            replyTo_ = *queue;
            queues::ConsumerOptions options;
            options.automatic = true;
            BOOST_REQUIRE(session_->consume(replyTo_, options, [inbox = inbox_](const queues::Delivery& delivery) {
                const queues::Message& answer = *delivery.message;
                inbox->put(answer.correlationId, {queue::readAnswer(answer).isFault, answer.body});
            }));
        }
        void send(std::string_view body) {
            queues::Message message;
            message.correlationId = std::to_string(++sent_);
            message.replyTo = replyTo_;
            message.contentType = "text/plain";
            message.body = body;
            // A moment more, since the queue counts whole milliseconds.
            message.timeToLive = exchangeTime + milliseconds(2);
            const std::string id = message.correlationId;
            session_->send("requests", std::move(message), [inbox = inbox_, id](const Result<void>& done) {
                if (!done) inbox->put(id, {true, "fault: " + done.error().message()});
            });
        }
        Reply receive() { return inbox_->take(std::to_string(++received_)); }

    private:
        struct Inbox {
            void put(const std::string& id, Reply reply) {
                const std::lock_guard lock(mutex);
                replies.emplace(id, std::move(reply));
                arrived.notify_one();
            }
            Reply take(const std::string& id) {
                std::unique_lock lock(mutex);
                if (!arrived.wait_for(lock, std::chrono::seconds(60), [&] { return replies.contains(id); }))
                    throw std::runtime_error("no answer came");
                return replies.extract(id).mapped();
            }
            std::mutex mutex;
            std::condition_variable arrived;
            std::map<std::string, Reply> replies;
        };

        std::shared_ptr<Inbox> inbox_;
        std::unique_ptr<queues::Session> session_;
        std::string replyTo_;
        int sent_ = 0, received_ = 0;
    };

    explicit QueueRig(core::Bus& bus) : transport_(bus) {
        log::configure({.format = log::Format::Text, .level = log::Level::Error, .descriptor = 2});
        auto store = queues::SqliteStore::open({folder_ / "queues", 4'000, ByteSize{0}});
        BOOST_REQUIRE(store);
        auto engine = queues::Engine::open(std::move(*store));
        BOOST_REQUIRE(engine);
        engine_ = std::move(*engine);
        engine_->start();
        queues::QueueSettings settings;
        settings.maxDeliveries = 1;
        settings.maxMessageSize = {bodyLimit};
        BOOST_REQUIRE(engine_->declareQueue("requests", settings));
        reload();
    }
    Caller connect() const { return Caller(*engine_); }
    void reload() { transport_.apply(engine_, {{"Test", "requests", 16, 4, 1, {}}}); }
    std::size_t stop(TimePoint deadline) { return transport_.stop(deadline); }

private:
    ScratchFolder folder_;
    std::shared_ptr<queues::Engine> engine_;
    queue::QueueTransport transport_;
};

using ConnectedRigs = std::tuple<HttpRig>;
using WireRigs = std::tuple<HttpRig, QueueRig>;
using AllRigs = std::tuple<HttpRig, InprocRig, QueueRig>;

template <class Rig>
struct House {
    core::Bus bus;
    std::shared_ptr<TestEndpoint> endpoint = std::make_shared<TestEndpoint>();
    Rig rig{bus};

    explicit House(std::size_t workers = 4, std::size_t backlog = 100) : bus(workers, backlog) {
        core::Route route;
        route.name = "Test";
        route.path = "/service";
        route.endpoint = endpoint;
        route.bindings.push_back(std::make_shared<TestBinding>(*endpoint));
        auto table = std::make_shared<core::RouteTable>();
        table->addNamed(route);
        table->setFallback(std::move(route));
        bus.publish(std::move(table));
    }
    ~House() {
        endpoint->release();
        rig.stop(Clock::now() + std::chrono::seconds(5));
        bus.workers().stop();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(transport_contract)

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_on_the_loop_and_from_other_threads, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    for (const char* body : {"echo inline", "pool from a worker", "", "echo again"}) {
        caller.send(body);
        const Reply reply = caller.receive();
        BOOST_TEST(!reply.fault);
        BOOST_TEST(reply.body == body);
    }
    BOOST_TEST(house.bus.figures().begun == 4u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(carries_bytes_as_they_are, Rig, WireRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    std::string body = "echo ";
    for (int i = 0; i < 90'000; ++i) body += static_cast<char>(i * 7);
    caller.send(body);
    BOOST_TEST((caller.receive().body == body));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_one_caller_in_the_order_of_its_requests, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    for (int i = 0; i < 200; ++i) caller.send((i % 3 ? "echo " : "pool ") + std::to_string(i));
    for (int i = 0; i < 200; ++i) BOOST_TEST(caller.receive().body == (i % 3 ? "echo " : "pool ") + std::to_string(i));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(serves_others_while_one_waits, Rig, AllRigs) {
    House<Rig> house;
    auto waiting = house.rig.connect();
    waiting.send("slow");
    house.endpoint->waitUntilHeld();
    for (int i = 0; i < 8; ++i) {
        auto other = house.rig.connect();
        other.send("echo x");
        BOOST_TEST(other.receive().body == "echo x");
    }
    house.endpoint->release();
    BOOST_TEST(waiting.receive().body == "slow");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(hands_on_faults_and_lets_no_dropped_exchange_hang, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    for (const char* body : {"fail", "lost", "unreadable"}) {
        caller.send(body);
        const Reply reply = caller.receive();
        BOOST_TEST(reply.fault);
        BOOST_TEST(reply.body.find("fault: ") == 0u);
    }
    caller.send("echo x");
    BOOST_TEST(caller.receive().body == "echo x");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(refuses_what_is_over_its_limits, Rig, WireRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    caller.send(std::string(Rig::bodyLimit + 1, 'x'));
    BOOST_TEST(caller.receive().fault);
    BOOST_TEST(house.bus.figures().begun == 0u);

    auto next = house.rig.connect();
    next.send("echo " + std::string(Rig::bodyLimit - 5, 'x'));
    BOOST_TEST(!next.receive().fault);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_for_a_service_that_takes_too_long, Rig, AllRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    const TimePoint start = Clock::now();
    caller.send("slow");
    BOOST_TEST(caller.receive().fault);
    BOOST_TEST((Clock::now() - start >= Rig::exchangeTime));
    BOOST_TEST(house.bus.figures().timeouts == 1u);

    house.endpoint->release();
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
    BOOST_TEST(house.bus.figures().late == 1u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(answers_at_once_when_no_worker_is_free, Rig, AllRigs) {
    constexpr int workers = 2, backlog = 3;
    House<Rig> house(workers, backlog);
    std::vector<typename Rig::Caller> callers;
    for (int i = 0; i < workers + backlog; ++i) {
        callers.push_back(house.rig.connect());
        callers.back().send("slow");
        if (i < workers) house.endpoint->waitUntilHeld(i + 1);
    }
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == workers + backlog; }));

    auto refused = house.rig.connect(), inlined = house.rig.connect();
    refused.send("pool x");
    BOOST_TEST(refused.receive().body.find("fault: all workers are busy") == 0u);
    inlined.send("echo x");
    BOOST_TEST(inlined.receive().body == "echo x");

    house.endpoint->release();
    int answered = 0;
    for (auto& each : callers) answered += each.receive().body == "slow";
    BOOST_TEST(answered == workers + backlog);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(keeps_nothing_of_a_caller_that_has_gone, Rig, ConnectedRigs) {
    House<Rig> house;
    auto gone = house.rig.connect();
    gone.send("slow");
    house.endpoint->waitUntilHeld();
    gone.leave();

    BOOST_TEST(test::eventually([&] { return house.bus.figures().abandoned == 1; }));
    BOOST_TEST(test::eventually([&] { return house.rig.connections() == 0; }));
    house.endpoint->release();
    BOOST_TEST(test::eventually([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_reload_loses_no_caller, Rig, WireRigs) {
    House<Rig> house;
    auto waiting = house.rig.connect(), idle = house.rig.connect();
    idle.send("echo before");
    BOOST_TEST(idle.receive().body == "echo before");
    waiting.send("slow");
    house.endpoint->waitUntilHeld();

    house.rig.reload();

    house.endpoint->release();
    BOOST_TEST(waiting.receive().body == "slow");
    idle.send("echo after");
    BOOST_TEST(idle.receive().body == "echo after");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stopping_answers_every_accepted_request, Rig, ConnectedRigs) {
    House<Rig> house;
    std::vector<typename Rig::Caller> callers;
    for (int i = 0; i < 3; ++i) {
        callers.push_back(house.rig.connect());
        callers.back().send("slow " + std::to_string(i));
    }
    house.endpoint->waitUntilHeld(3);
    auto late = house.rig.connect();
    late.send("echo at the last moment");
    std::size_t expired = 99;
    std::thread stopper([&] { expired = house.rig.stop(Clock::now() + std::chrono::seconds(10)); });
    BOOST_TEST(late.receive().body == "echo at the last moment");
    house.endpoint->release();

    for (int i = 0; i < 3; ++i)
        BOOST_TEST(callers[static_cast<std::size_t>(i)].receive().body == "slow " + std::to_string(i));
    callers.clear();
    stopper.join();
    BOOST_TEST(expired == 0u);
    BOOST_TEST(house.rig.connections() == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(at_the_deadline_of_a_stop_open_exchanges_get_a_fault, Rig, ConnectedRigs) {
    House<Rig> house;
    auto caller = house.rig.connect();
    caller.send("slow");
    house.endpoint->waitUntilHeld();
    std::size_t expired = 0;
    std::thread stopper([&] { expired = house.rig.stop(Clock::now() + milliseconds(50)); });

    BOOST_TEST(caller.receive().fault);
    house.endpoint->release();
    stopper.join();
    BOOST_TEST(expired == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
