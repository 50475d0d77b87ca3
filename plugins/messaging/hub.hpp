#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/bus.hpp"
#include "plugins/messaging/forward.hpp"
#include "plugins/messaging/lent_delivery.hpp"
#include "plugins/messaging/owner.hpp"
#include "queues/engine/engine.hpp"
#include "transports/queue/queue_loop.hpp"

namespace postbus::messaging {

/// What plugins have of the bus's queues: the session that they all use, of the engine of the moment, and the loop on
/// which they are told of outcomes. Holds no engine, so that one can be closed whatever plugins do.
///
/// apply(), serve(), drain() and stop() one at a time; the rest from any thread. There is no thread before it is
/// needed. Outlives its clients.
class Hub {
public:
    /// Opens the engine if it is not open; may wait for the disk. It calls apply() on the way, or has done so.
    using Open = std::function<Result<std::shared_ptr<queues::Engine>>()>;
    using Use = std::function<void(Result<Session>)>;

    Hub(core::Bus& bus, Open open) : bus_(bus), open_(std::move(open)), again_(*this) {}
    /// After stop().
    ~Hub() { stop(); }
    Hub(const Hub&) = delete;
    Hub& operator=(const Hub&) = delete;

    /// From now on subscriptions take from this engine; null: from none. Nothing, for the one that they take from
    /// already. Waits for no plugin: what is at work with one is settled, or not, with the engine that it came from.
    void apply(const std::shared_ptr<queues::Engine>& engine);
    /// From now on subscriptions take: the bus is complete. Until then messages are sent and received only.
    void serve();
    /// No plugin takes messages any more; waits until those at work are settled, until `deadline`.
    void drain(TimePoint deadline);
    /// Gives up what is still with plugins, refuses all from now on, ends the threads. After the engine's end, so that
    /// it has told all that it will; without a lock that `open` takes.
    void stop();
    /// Messages that are with plugins.
    std::size_t atWork() const;

    // For clients.
    core::Bus& bus() const { return bus_; }
    /// Null when there is none, or others wait for it: then use() has it, in their order.
    Session session() const;
    /// With the session, now or when there is one, or with the Error of why there is none.
    void use(Use use);
    /// Whether this thread must not wait.
    bool onLoop() const;
    /// Runs it on the loop; false, with nothing done, when that has ended.
    bool post(std::function<void()> task);
    /// Runs code of a plugin on the loop, or here when that has ended.
    void call(const Owner& owner, std::string_view what, std::function<void()> task);
    queue::QueueLoop& loop() { return *loop_; }
    void join(Client& client);
    void leave(Client& client);
    /// From now on until it is closed it gets the session of the moment.
    void open(const std::shared_ptr<Subscription>& subscription);
    /// It found no worker: tries again in a moment.
    void again(std::weak_ptr<Subscription> subscription);

private:
    struct Again final : Timer {
        explicit Again(Hub& hub) : owner(hub) {}
        void onTimer() override;
        Hub& owner;
    };

    void useAll(const Session& session);
    bool ensureLoop();
    void fetch();
    bool idle() const;

    core::Bus& bus_;
    const Open open_;

    std::mutex applying_;  // one change of the session at a time; before the others
    std::vector<std::weak_ptr<Subscription>> subscriptions_;
    std::weak_ptr<queues::Engine> engine_;
    bool serving_ = false;

    mutable std::mutex clientsMutex_;
    std::vector<Client*> clients_;
    bool draining_ = false;

    // No call of the engine is made with this: it may end in post().
    mutable std::mutex mutex_;
    Session session_;
    std::vector<Use> waiting_;  // for a session
    bool fetching_ = false, stopped_ = false;
    std::thread fetcher_;
    std::shared_ptr<queue::QueueLoop> loop_;
    bool loopEnded_ = false;
    std::vector<std::weak_ptr<Subscription>> starved_;
    Again again_;
};

}  // namespace postbus::messaging
