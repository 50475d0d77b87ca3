#pragma once

#include <postbus/abi_queues.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plugins/messaging/convert.hpp"
#include "plugins/messaging/forward.hpp"
#include "plugins/messaging/lent_delivery.hpp"
#include "plugins/messaging/owner.hpp"

/// A subscription, as plugins name it.
struct postbus_subscription {};

namespace postbus::messaging {

struct SubscriptionOptions {
    Destination from;
    std::string selector{};
    std::string name{};  ///< of a topic's durable subscription; empty: one that is not durable
    std::uint32_t concurrency = 1, prefetch = 10;
};

/// The function of a plugin that takes messages.
struct Taker {
    void (*take)(void* context, postbus_delivery* delivery) = nullptr;
    void (*closed)(void* context) = nullptr;
    void* context = nullptr;
};

/// A plugin's subscription: so many consumers, each of which works on one message at a time, on a worker. What a
/// consumer has been handed beyond waits here, and goes back when the subscription closes.
///
/// The owner's code is needed from the first open on until `closed` has returned. Thread-safe; no lock is held while
/// the plugin runs.
class Subscription final : public postbus_subscription,
                           public Recipient,
                           public std::enable_shared_from_this<Subscription> {
public:
    Subscription(Hub& hub, Owner& owner, SubscriptionOptions options, Taker taker);

    /// Counts the owner in, for good; before the first use().
    void begin();
    /// From now on it takes by this session; null: by none. One call at a time.
    void use(const Session& session);
    /// Takes no more. `closed` is called when all is settled; at once, here, if it was never begun.
    void close();
    /// After close(): what the plugin still works on goes back. How many messages those were.
    std::size_t giveUp();
    /// Begins what waits, after a time without a worker.
    void resume();

    /// Messages that are with the plugin.
    std::size_t atWork() const;
    /// Whether it is closed and has said so.
    bool ended() const;

private:
    struct Place {
        Session session{};  ///< of its consumer
        queues::ConsumerId consumer = 0;
        std::deque<queues::Delivery> waiting{};
        LentDelivery* current = nullptr;
        bool scheduled = false;
    };

    Result<queues::ConsumerId> consume(const Session& session, std::size_t place, std::uint64_t round);
    void vacate(Place& place);
    void take(std::size_t place, std::uint64_t round, queues::Delivery delivery);
    void schedule(std::size_t place);
    void serve(std::size_t place);
    void over(LentDelivery& delivery) override;
    bool endsNow();
    void sayClosed();

    Hub& hub_;
    Owner& owner_;
    const SubscriptionOptions options_;
    const Taker taker_;

    mutable std::mutex mutex_;
    std::vector<Place> places_;
    std::uint64_t round_ = 0;  // of use(): what comes of an earlier one comes too late
    bool begun_ = false, closed_ = false, ending_ = false, ended_ = false;
};

}  // namespace postbus::messaging
