#pragma once

#include <atomic>
#include <future>
#include <optional>
#include <thread>

#include "bindings/soap/soap_binding.hpp"
#include "endpoints/destination/destination_endpoint.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/support/hello_endpoint.hpp"
#include "tests/support/scratch_folder.hpp"
#include "transports/queue/queue_loop.hpp"

namespace postbus::test {

using core::Pattern;
using destination::Destination;

inline const wsdl::Contract noContract;

/// A caller on a loop of its own, the endpoint, an engine on a disk, and somebody who takes what is sent.
struct House {
    ScratchFolder folder;
    core::Bus bus{1, 10};
    std::shared_ptr<queues::Engine> engine;
    destination::QueueClient client{[this] { return engine; }};
    queue::QueueLoop loop{bus};
    std::unique_ptr<queues::Session> taker;
    std::shared_ptr<core::RouteTable> table;

    explicit House(Pattern pattern = Pattern::InOut, milliseconds timeout = milliseconds(20'000),
                   const char* to = "queue:requests") {
        open();
        destination::Sending sending;
        sending.pattern = pattern;
        const auto endpoint = std::make_shared<destination::DestinationEndpoint>(
            "Front", *Destination::parse(to), sending, soap::Version::Soap11, client);
        core::Route route;
        route.name = "Front";
        route.path = "/front";
        route.endpoint = endpoint;
        route.limits.timeout = timeout;
        route.bindings = {destination::makeDestinationBinding(*endpoint, soap::makeSoapBinding(noContract, {}))};
        table = std::make_shared<core::RouteTable>();
        const bool added = bool(table->add(std::move(route)));
        BOOST_REQUIRE(added);
        bus.publish(table);
    }
    ~House() {
        taker.reset();
        bus.workers().stop();
        loop.finish(Clock::now() + std::chrono::seconds(10));
    }
    void open() { engine = opened(); }
    std::shared_ptr<queues::Engine> opened() const {
        auto store = queues::SqliteStore::open({folder / "queues", 4'000, ByteSize{0}});
        BOOST_REQUIRE(store);
        auto made = queues::Engine::open(std::move(*store));
        BOOST_REQUIRE(made);
        (*made)->start();
        return std::move(*made);
    }
    using Answers = std::function<std::optional<queues::Message>(const queues::Message&)>;
    /// Whoever takes from the queue, or the topic, answers so.
    void answerWith(Answers answers, bool topic = false) {
        taker = engine->connect();
        queues::ConsumerOptions options;
        options.automatic = true;
        const auto take = [this, answers = std::move(answers)](const queues::Delivery& delivery) {
            auto answer = answers(*delivery.message);
            if (!answer) return;
            if (answer->correlationId.empty()) answer->correlationId = delivery.message->correlationId;
            taker->send(delivery.message->replyTo, std::move(*answer), [](const Result<void>&) {});
        };
        if (topic)
            BOOST_REQUIRE(taker->subscribe("requests", {}, options, take));
        else
            BOOST_REQUIRE(taker->consume("requests", options, take));
    }

    /// An answer, kept: told on the loop, read on the test's thread.
    struct Kept final : core::Replier, Timer {
        explicit Kept(core::ExchangePool& its) : pool(its) {}
        void answer(core::WireAnswer&& given) override {
            pool.loop().cancelTimer(*this);
            last.status = given.status;
            last.contentType = given.contentType;
            last.body = given.body.view();
            pool.giveBuffer(std::move(given.body));
            promise.set_value();
        }
        void onTimer() override { ref.expire(Error(Error::Kind::Timeout, "too late")); }
        core::ExchangePool& pool;
        core::ExchangeRef ref;
        Answer last;
        std::promise<void> promise;
    };
    Answer call(std::string body, std::string_view contentType = "text/xml; charset=utf-8") {
        const auto kept = std::make_shared<Kept>(loop.exchanges());
        loop.run([&] {  // to its end: the answer may come within receive()
            core::WireRequest request;
            request.head.method = "POST";
            request.head.path = "/front";
            request.head.contentType = contentType;
            request.head.headers.add("SOAPAction", "\"urn:do\"");
            request.body = body;
            auto admission = bus.port().admit(request.head);
            kept->ref = bus.port().receive(loop.exchanges(), std::move(admission), request, core::ReplyTo(kept),
                                           milliseconds(0));
            if (kept->ref.open()) loop.setTimer(*kept, kept->ref.deadline());
        });
        kept->promise.get_future().wait();
        loop.run([] {});  // the exchange is over a moment after its answer
        return kept->last;
    }
};

inline queues::Message said(std::string_view body, bool fault = false,
                            std::string_view type = "text/xml; charset=utf-8") {
    queues::Message message;
    message.body = body;
    message.properties = {{"SOAPJMS_contentType", std::string(type)}, {"SOAPJMS_isFault", fault}};
    return message;
}

inline std::string faultOf(std::string_view code, std::string_view reason) {
    return envelope(soap11, "<s:Fault><faultcode>s:" + std::string(code) + "</faultcode><faultstring>" +
                                std::string(reason) + "</faultstring></s:Fault>");
}

inline bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace postbus::test
