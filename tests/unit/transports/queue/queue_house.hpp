#pragma once

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "bindings/soap/soap_binding.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/hello_endpoint.hpp"
#include "tests/support/scratch_folder.hpp"
#include "transports/queue/queue_transport.hpp"

namespace postbus::test {

/// A bus with a service, an engine on a disk, and the transport between them.
struct QueueHouse {
    ScratchFolder folder;
    core::Bus bus{4, 100};
    std::shared_ptr<FunctionEndpoint> service = helloEndpoint();
    std::shared_ptr<queues::Engine> engine;
    std::unique_ptr<queues::Session> client;
    queue::QueueTransport transport{bus};
    std::vector<queue::QueueEndpoint> endpoints{{"HelloWorld", "requests"}};

    QueueHouse() {
        open();
        publish(true);
    }
    ~QueueHouse() {
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
    std::uint64_t depth(std::string_view queue) const {
        const auto status = engine->status(queue);
        return status ? status->depth() : 0;
    }
    /// What lies in a queue once there are `count`.
    std::vector<queues::Browsed> messages(std::string_view queue, std::size_t count) const {
        BOOST_TEST(test::eventually([&] { return depth(queue) >= count; }), queue);
        queues::BrowseQuery query;
        query.bodies = true;
        auto found = engine->browse(queue, query);
        BOOST_REQUIRE(found);
        BOOST_REQUIRE(found->size() == count);
        return std::move(*found);
    }
};

inline bool isFault(const queues::Message& message) {
    for (const auto& each : message.properties)
        if (each.name == "SOAPJMS_isFault") return std::get<bool>(each.value);
    BOOST_ERROR("no SOAPJMS_isFault");
    return false;
}

inline bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace postbus::test
