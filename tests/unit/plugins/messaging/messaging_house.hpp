#pragma once

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "plugins/messaging/client.hpp"
#include "plugins/messaging/owed.hpp"
#include "queues/store/memory_store.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/scratch_folder.hpp"

namespace postbus::messaging::test {

inline postbus_str text(std::string_view view) { return {view.data(), view.size()}; }
inline std::string text(postbus_str view) { return view.data ? std::string(view.data, view.size) : std::string(); }

inline postbus_message message(std::string_view body) {
    postbus_message made{};
    made.size = sizeof made;
    made.priority = 4;
    made.persistent = 1;
    made.body = text(body);
    return made;
}
inline postbus_destination to(std::string_view name, std::uint32_t kind = POSTBUS_DESTINATION_QUEUE) {
    return {sizeof(postbus_destination), kind, text(name)};
}

/// The hub of the house that stands.
inline Hub* theHub = nullptr;

/// A service that is none: counts what it is owed.
struct Service final : Owner {
    explicit Service(std::string named = "Service") : its(std::move(named)) {}
    /// As the deployer does, it stays until nothing is owed to it.
    ~Service() {
        BOOST_TEST(postbus::test::eventually([this] { return inside == 0; }));
    }
    std::string_view name() const override { return its; }
    void enter() override { ++inside; }
    void leave() override { --inside; }
    void misbehaved(const char*) const override { ++misdeeds; }

    const std::string its;
    std::atomic<int> inside{0};
    mutable std::atomic<int> misdeeds{0};
};

/// What came of an operation.
struct Told {
    std::atomic<int> times{0};
    std::uint32_t kind = 99;
    std::string reason, body;
    postbus_delivery* delivery = nullptr;

    static void take(void* context, const postbus_queue_result* result) {
        auto& self = *static_cast<Told*>(context);
        self.kind = result->kind;
        self.reason = text(result->reason);
        self.delivery = result->delivery;
        if (result->delivery) self.body = text(result->delivery->message->body);
        ++self.times;
    }
};

/// A subscription's handler: does as `work` says, on the bus's threads.
struct Handler {
    std::function<void(postbus_delivery*)> work = [](postbus_delivery* lent) { done(lent); };
    std::atomic<int> taken{0}, closed{0}, subscriptions{0};
    std::mutex mutex;
    std::vector<std::string> bodies;

    ~Handler() {
        if (closed != subscriptions) theHub->drain(Clock::now() + std::chrono::seconds(5));
        BOOST_TEST(postbus::test::eventually([this] { return closed == subscriptions; }));
    }
    Taker taker() { return {take, close, this}; }
    static void done(postbus_delivery* lent) { settle(lent, POSTBUS_SETTLE_DONE, {}, false, nullptr, nullptr); }
    static void take(void* context, postbus_delivery* lent) {
        auto& self = *static_cast<Handler*>(context);
        {
            const std::lock_guard lock(self.mutex);
            self.bodies.push_back(text(lent->message->body));
        }
        ++self.taken;
        self.work(lent);
    }
    static void close(void* context) { ++static_cast<Handler*>(context)->closed; }
    std::vector<std::string> all() {
        const std::lock_guard lock(mutex);
        return bodies;
    }
};

/// A bus, an engine on a disk that is opened at the first use, and the hub between them.
struct House {
    postbus::test::ScratchFolder folder;
    core::Bus bus{4, 100};
    std::shared_ptr<queues::Engine> engine;
    std::mutex opening;
    std::atomic<int> opened{0};
    std::optional<Error> trouble;
    Hub hub{bus, [this] { return open(); }};

    House() {
        hub.serve();
        theHub = &hub;
    }
    ~House() {
        hub.drain(Clock::now() + std::chrono::seconds(5));
        close();
        hub.stop();
        bus.workers().stop();
    }
    Result<std::shared_ptr<queues::Engine>> open() {
        const std::lock_guard lock(opening);
        if (trouble) return *trouble;
        if (engine) return engine;
        auto store = queues::SqliteStore::open({folder / "queues", 4'000, ByteSize{0}});
        if (!store) return std::move(store).error();
        queues::EngineSettings settings;
        settings.defaults.redeliveryDelay = milliseconds(1);
        settings.defaults.maxDeliveries = 3;
        auto made = queues::Engine::open(std::move(*store), settings);
        if (!made) return std::move(made).error();
        engine = std::move(*made);
        engine->start();
        ++opened;
        hub.apply(engine);
        return engine;
    }
    void close() {
        const std::lock_guard lock(opening);
        if (engine) (void)engine->stop();
        engine.reset();
    }
    queues::Engine& its() {
        BOOST_REQUIRE(open());
        return *engine;
    }
    std::uint64_t depth(std::string_view queue) {
        const auto status = its().status(queue);
        return status ? status->depth() : 0;
    }
    std::uint64_t ready(std::string_view queue) {
        const auto status = its().status(queue);
        return status ? status->ready : 0;
    }
};

inline std::uint32_t send(Client& client, std::string_view queue, const postbus_message& given,
                          std::uint32_t kind = POSTBUS_DESTINATION_QUEUE) {
    Told told;
    const postbus_destination destination = to(queue, kind);
    client.send(&destination, &given, true, Told::take, &told);
    return told.times == 1 ? told.kind : 98;  // of a second thread too: no checks here
}
inline std::uint32_t send(Client& client, std::string_view queue, std::string_view body) {
    return send(client, queue, message(body));
}

inline void receive(Client& client, std::string_view queue, milliseconds time, Told& told, bool wait = true,
                    std::string_view selector = {}) {
    const postbus_destination from = to(queue);
    const postbus_consumer how{sizeof(postbus_consumer), 1, 0, text(selector), {}};
    client.receive(nullptr, &from, &how, std::chrono::nanoseconds(time).count(), wait, Told::take, &told);
}

inline Subscription* subscribe(Client& client, std::string_view queue, Handler& handler, std::uint32_t concurrency = 1,
                               std::uint32_t prefetch = 10, std::string_view selector = {},
                               std::uint32_t kind = POSTBUS_DESTINATION_QUEUE, std::string_view name = {}) {
    const postbus_destination from = to(queue, kind);
    const postbus_consumer how{sizeof(postbus_consumer), concurrency, prefetch, text(selector), text(name)};
    auto made = client.subscribe(&from, &how, handler.taker());
    if (made) ++handler.subscriptions;
    return made ? *made : nullptr;
}

}  // namespace postbus::messaging::test
