#include "transports/queue/queue_transport.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>

#include "bindings/soap/soap_binding.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/support/hello_endpoint.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace postbus;
using namespace postbus::test;

namespace {

/// A bus with a service, an engine on a disk, and the transport between them.
struct House {
    ScratchFolder folder;
    core::Bus bus{4, 100};
    std::shared_ptr<FunctionEndpoint> service = helloEndpoint();
    std::shared_ptr<queues::Engine> engine;
    std::unique_ptr<queues::Session> client;
    queue::QueueTransport transport{bus};
    std::vector<queue::QueueEndpoint> endpoints{{"HelloWorld", "requests"}};

    House() {
        open();
        publish(true);
    }
    ~House() {
        transport.stop(Clock::now() + std::chrono::seconds(5));
        bus.workers().stop();
    }
    void open() {
        auto store = queues::SqliteStore::open({folder / "queues", 4'000, ByteSize{0}});
        BOOST_REQUIRE(store);
        queues::EngineSettings settings;
        settings.defaults.redeliveryDelay = milliseconds(1);
        auto opened = queues::Engine::open(std::move(*store), settings);
        BOOST_REQUIRE(opened);
        engine = std::move(*opened);
        engine->start();
        client = engine->connect();
    }
    void publish(bool serving, std::uint32_t concurrency = 0) {
        auto table = std::make_shared<core::RouteTable>();
        if (serving) {
            core::Route route;
            route.name = "HelloWorld";
            route.path = "/hello";
            route.endpoint = service;
            route.limits.timeout = milliseconds(500);
            route.limits.concurrency = concurrency;
            route.bindings = {soap::makeSoapBinding(service->contract(), {})};
            table->addNamed(std::move(route));
        }
        bus.publish(std::move(table));
    }
    void take() { transport.apply(engine, endpoints); }

    /// A SOAP 1.1 request of a client that follows the recommendation.
    static queues::Message request(std::string_view name) {
        queues::Message message;
        message.replyTo = "answers";
        message.properties = {{"SOAPJMS_requestURI", std::string("jms:queue:requests")},
                              {"SOAPJMS_bindingVersion", std::string("1.0")},
                              {"SOAPJMS_contentType", std::string("text/xml; charset=utf-8")}};
        message.body = envelope(soap11, sayHiTo(name));
        return message;
    }
    void send(queues::Message message, std::string_view queue = "requests") const {
        std::mutex mutex;
        std::condition_variable told;
        std::optional<bool> good;
        engine->send(queue, std::move(message), [&](const Result<void>& done) {
            const std::lock_guard lock(mutex);
            good = bool(done);
            told.notify_one();
        });
        std::unique_lock lock(mutex);
        told.wait(lock, [&] { return good.has_value(); });
        BOOST_TEST(*good);
    }
    static bool becomes(const std::function<bool()>& condition) {
        for (const TimePoint until = Clock::now() + std::chrono::seconds(10); !condition();) {
            if (Clock::now() > until) return false;
            std::this_thread::sleep_for(milliseconds(2));
        }
        return true;
    }
    std::uint64_t depth(std::string_view queue) const {
        const auto status = engine->status(queue);
        return status ? status->depth() : 0;
    }
    /// What lies in a queue once there are `count`.
    std::vector<queues::Browsed> messages(std::string_view queue, std::size_t count) const {
        BOOST_TEST(becomes([&] { return depth(queue) >= count; }), queue);
        queues::BrowseQuery query;
        query.bodies = true;
        auto found = engine->browse(queue, query);
        BOOST_REQUIRE(found);
        BOOST_REQUIRE(found->size() == count);
        return std::move(*found);
    }
};

bool isFault(const queues::Message& message) {
    for (const auto& each : message.properties)
        if (each.name == "SOAPJMS_isFault") return std::get<bool>(each.value);
    BOOST_ERROR("no SOAPJMS_isFault");
    return false;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(queue_transport)

BOOST_AUTO_TEST_CASE(answers_a_request_on_its_reply_queue) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.id = "ID:bob";
    house.send(std::move(request));

    const auto answers = house.messages("answers", 1);

    const queues::Message& answer = *answers[0].message;
    BOOST_TEST(holds(answer.body, "Hello Bob"));
    BOOST_TEST(answer.correlationId == "ID:bob");
    BOOST_TEST(answer.contentType == "text/xml; charset=utf-8");
    BOOST_TEST(!isFault(answer));
    BOOST_TEST(house.depth("requests") == 0u);
}

BOOST_AUTO_TEST_CASE(waits_without_counting_attempts_until_the_service_is_there) {
    House house;
    house.publish(false);
    house.take();
    for (const char* name : {"A", "B", "C"}) house.send(House::request(name));
    BOOST_TEST(House::becomes([&] { return house.engine->status("requests")->inFlight == 3; }));

    house.publish(true);

    const auto answers = house.messages("answers", 3);
    for (std::size_t i = 0; i < 3; ++i)
        BOOST_TEST(holds(answers[i].message->body, std::string("Hello ") + static_cast<char>('A' + i)));
    BOOST_TEST(house.engine->status("requests")->redelivered == 0u);
}

BOOST_AUTO_TEST_CASE(answers_faults_of_the_binding_with_their_subcode) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.correlationId = "mine";
    request.properties[1].value = std::string("7");
    house.send(std::move(request));

    const auto answers = house.messages("answers", 1);

    const queues::Message& answer = *answers[0].message;
    BOOST_TEST(isFault(answer));
    BOOST_TEST(answer.correlationId == "mine");
    BOOST_TEST(holds(answer.body,
                     "<faultcode xmlns:sub=\"http://www.w3.org/2010/soapjms/\">"
                     "sub:unrecognizedBindingVersion</faultcode>"));
}

BOOST_AUTO_TEST_CASE(answers_in_the_soap_version_of_the_request) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.properties[2].value = std::string("application/soap+xml; charset=utf-8");
    request.body = envelope(soap12, sayHiTo("Bob"));
    house.send(std::move(request));
    queues::Message wrong = House::request("Bob");
    wrong.properties[2].value = std::string("application/soap+xml");
    wrong.properties[0].value = std::string("jms:queue:");
    house.send(std::move(wrong));

    const auto answers = house.messages("answers", 2);

    BOOST_TEST(answers[0].message->contentType == "application/soap+xml; charset=utf-8");
    BOOST_TEST(holds(answers[1].message->body,
                     "<soap:Value xmlns:sub=\"http://www.w3.org/2010/soapjms/\">"
                     "sub:malformedRequestURI</soap:Value></soap:Subcode>"));
}

BOOST_AUTO_TEST_CASE(a_fault_that_nobody_waits_for_is_set_aside_with_its_reason) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo.clear();
    request.body = "<no-soap/>";
    house.send(std::move(request));

    const auto dead = house.messages("DLQ.requests", 1);

    BOOST_REQUIRE(dead[0].deadLetter);
    BOOST_TEST(dead[0].deadLetter->origin == "requests");
    BOOST_TEST(holds(dead[0].deadLetter->reason, "Envelope"));
    BOOST_TEST(house.depth("requests") == 0u);
}

BOOST_AUTO_TEST_CASE(an_answer_that_nobody_waits_for_ends_the_message) {
    House house;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        ++calls;
        sayHi(std::move(exchange));
    });
    house.publish(true);
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo.clear();
    house.send(std::move(request));

    BOOST_TEST(House::becomes([&] { return house.engine->status("requests")->acknowledged == 1; }));
    BOOST_TEST(calls == 1);
    BOOST_TEST(house.depth("DLQ.requests") == 0u);
}

BOOST_AUTO_TEST_CASE(tries_again_what_may_pass) {
    House house;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        if (++calls < 3) return core::Exchange::fail(std::move(exchange), Error(Error::Kind::Unavailable, "not yet"));
        sayHi(std::move(exchange));
    });
    house.publish(true);
    house.take();
    house.send(House::request("Bob"));

    const auto answers = house.messages("answers", 1);

    BOOST_TEST(!isFault(*answers[0].message));
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(tells_the_caller_after_the_last_attempt) {
    House house;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        ++calls;
        core::Exchange::fail(std::move(exchange), Error(Error::Kind::Unavailable, "never"));
    });
    house.publish(true);
    queues::QueueSettings settings;
    settings.maxDeliveries = 2;
    settings.redeliveryDelay = milliseconds(1);
    BOOST_REQUIRE(house.engine->declareQueue("requests", settings));
    house.endpoints[0].maxDeliveries = 2;
    house.take();
    house.send(House::request("Bob"));
    queues::Message oneWay = House::request("Bob");
    oneWay.replyTo.clear();
    house.send(std::move(oneWay));

    const auto answers = house.messages("answers", 1);
    const auto dead = house.messages("DLQ.requests", 1);

    BOOST_TEST(isFault(*answers[0].message));
    BOOST_TEST(holds(answers[0].message->body, "never"));
    BOOST_TEST(dead[0].deadLetter->reason == "never");
    BOOST_TEST(dead[0].deadLetter->attempts == 2u);
    BOOST_TEST(calls == 4);
}

BOOST_AUTO_TEST_CASE(stops_waiting_for_a_service_that_takes_too_long) {
    House house;
    std::mutex mutex;
    core::ExchangePtr held;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        if (++calls > 1) return sayHi(std::move(exchange));
        const std::lock_guard lock(mutex);
        held = std::move(exchange);
    });
    house.publish(true);
    house.take();
    house.send(House::request("Bob"));

    const auto answers = house.messages("answers", 1);
    BOOST_TEST(!isFault(*answers[0].message));
    BOOST_TEST(calls == 2);
    BOOST_TEST(house.bus.figures().timeouts == 1u);
    const std::lock_guard lock(mutex);
    core::Exchange::reply(std::move(held));
    BOOST_TEST(House::becomes([&] { return house.bus.figures().open == 0; }));
}

BOOST_AUTO_TEST_CASE(in_only_is_acknowledged_at_its_end) {
    House house;
    wsdl::Contract contract = helloContract();
    contract.operations[0].mep = POSTBUS_MEP_IN_ONLY;
    std::mutex mutex;
    core::ExchangePtr held;
    std::atomic<int> calls{0};
    house.service = std::make_shared<FunctionEndpoint>(contract, [&](core::ExchangePtr exchange) {
        const std::lock_guard lock(mutex);
        held = std::move(exchange);
        ++calls;
    });
    house.publish(true);
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo.clear();
    house.send(request);
    BOOST_TEST(House::becomes([&] { return calls == 1; }));
    BOOST_TEST(house.depth("requests") == 1u);

    {
        const std::lock_guard lock(mutex);
        core::Exchange::reply(std::move(held));
    }
    BOOST_TEST(House::becomes([&] { return house.depth("requests") == 0; }));
    house.send(request);
    BOOST_TEST(House::becomes([&] { return calls == 2; }));
    {
        const std::lock_guard lock(mutex);
        core::Exchange::fail(std::move(held), Error::internal("it broke"));
    }
    BOOST_TEST(house.messages("DLQ.requests", 1)[0].deadLetter->reason == "it broke");
}

BOOST_AUTO_TEST_CASE(what_is_open_at_the_deadline_of_a_stop_comes_again) {
    House house;
    std::mutex mutex;
    std::vector<core::ExchangePtr> held;
    std::atomic<bool> holding{true};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        if (!holding) return sayHi(std::move(exchange));
        const std::lock_guard lock(mutex);
        held.push_back(std::move(exchange));
    });
    house.publish(true);
    house.endpoints[0].consumers = 2;
    house.take();
    for (const char* name : {"A", "B", "C", "D"}) house.send(House::request(name));
    BOOST_TEST(House::becomes([&] {
        const std::lock_guard lock(mutex);
        return held.size() == 2;
    }));
    std::thread releasing([&] {
        BOOST_TEST(House::becomes([&] { return house.bus.figures().abandoned == 2; }));
        const std::lock_guard lock(mutex);
        held.clear();
    });

    BOOST_TEST(house.transport.stop(Clock::now() + milliseconds(20)) == 2u);
    releasing.join();
    BOOST_TEST(house.bus.figures().open == 0);
    house.client.reset();
    BOOST_TEST(bool(house.engine->stop()));
    house.engine.reset();

    holding = false;
    house.open();
    house.take();
    std::set<std::string> names;
    for (const auto& each : house.messages("answers", 4)) {
        const auto at = each.message->body.find("Hello ");
        BOOST_REQUIRE(at != std::string::npos);
        names.insert(each.message->body.substr(at + 6, 1));
    }
    BOOST_TEST((names == std::set<std::string>{"A", "B", "C", "D"}));
}

BOOST_AUTO_TEST_CASE(an_endpoint_that_is_taken_away_ends_what_it_has_begun) {
    House house;
    std::mutex mutex;
    core::ExchangePtr held;
    std::atomic<int> calls{0};
    house.service = helloEndpoint([&](core::ExchangePtr exchange) {
        const std::lock_guard lock(mutex);
        held = std::move(exchange);
        ++calls;
    });
    house.publish(true);
    house.take();
    for (const char* name : {"A", "B", "C"}) house.send(House::request(name));
    BOOST_TEST(House::becomes([&] { return calls == 1; }));

    house.transport.apply(house.engine, {});

    BOOST_TEST(House::becomes([&] { return house.engine->status("requests")->ready == 2; }));
    {
        const std::lock_guard lock(mutex);
        sayHi(std::move(held));
    }
    BOOST_TEST(holds(house.messages("answers", 1)[0].message->body, "Hello A"));
    BOOST_TEST(House::becomes([&] { return house.depth("requests") == 2; }));
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_request_whose_answer_has_no_place_is_set_aside) {
    House house;
    house.take();
    queues::Message request = House::request("Bob");
    request.replyTo = "temp.gone";
    house.send(std::move(request));

    const auto dead = house.messages("DLQ.requests", 1);

    BOOST_TEST(holds(dead[0].deadLetter->reason, "temp.gone"));
}

BOOST_AUTO_TEST_SUITE_END()
