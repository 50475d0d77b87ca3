#pragma once

// A rig has
//     explicit Rig(core::Bus&);                    a transport that listens; the bus falls back to the test service
//     static constexpr std::size_t bodyLimit;      of a request; larger ones are refused
//     static constexpr milliseconds exchangeTime;  the transport's limit
//     Caller connect();                            one that may call
//     void reload();                               the same configuration once more
//     std::size_t stop(TimePoint deadline);        as the transport's: how many exchanges got a fault at the deadline
//     std::int64_t connections();                  open now
// and its Caller
//     void send(std::string_view body);            a request; several may be on their way
//     Reply receive();                             the next answer; throws when none comes
//     void leave();                                goes away without a word

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
#include "tests/support/raw_client.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_service.hpp"
#include "transports/http/access_log.hpp"
#include "transports/http/http_transport.hpp"
#include "transports/inproc/invocation.hpp"
#include "transports/queue/queue_loop.hpp"
#include "transports/queue/queue_transport.hpp"

namespace postbus::test {

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
            inproc::InvocationPtr call = inproc::Invocation::begin(bus_, nullptr, "Test");
            call->writer().start("urn:test", word == "unreadable" ? "unknown" : waits ? "later" : "now");
            call->writer().text(body);
            call->writer().end();
            call->limit(Clock::now() + exchangeTime);
            asked_.push_back(std::make_shared<Asked>());
            call->note.context = new std::shared_ptr<Asked>(asked_.back());
            inproc::Invocation::send(std::move(call), take);
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
        static void take(inproc::InvocationPtr invocation, const inproc::Outcome& outcome) {
            const std::unique_ptr<std::shared_ptr<Asked>> asked(
                static_cast<std::shared_ptr<Asked>*>(invocation->note.context));
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

}  // namespace postbus::test
