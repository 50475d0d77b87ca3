#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/timer_wheel.hpp"
#include "core/bus.hpp"
#include "queues/engine/engine.hpp"
#include "transports/queue/queue_exchange.hpp"
#include "transports/queue/queue_loop.hpp"

namespace postbus::queue {

/// An endpoint and the queue, or the topic's subscription, that it takes from.
struct QueueEndpoint {
    std::string name;   ///< the endpoint's
    std::string queue;  ///< the queue's, or the topic's
    std::uint32_t consumers = 1;
    std::uint32_t prefetch = 10;
    std::uint32_t maxDeliveries = 5;  ///< the queue's setting: which attempt is the last; 0: none
    std::optional<queues::SubscriptionOptions> subscription{};  ///< of the topic
    std::optional<queues::QueueSettings> settings{};            ///< of the subscription; of queues they are declared
    std::string source() const { return (subscription ? "topic:" : "") + queue; }
    friend bool operator==(const QueueEndpoint&, const QueueEndpoint&) = default;
};

/// The consumers of one endpoint. Each has one exchange at a time; what it has been handed beyond waits here, and while
/// the endpoint has no service all of it does, without an attempt being counted.
///
/// For the loop's thread, but for open(). Kept alive by its exchanges.
class InboundQueue final : public std::enable_shared_from_this<InboundQueue> {
public:
    InboundQueue(std::shared_ptr<QueueLoop> loop, QueueEndpoint endpoint, std::unique_ptr<queues::Session> session);

    /// Begins to take messages. On the thread that made it.
    Result<void> open();
    /// Takes no more: what was not begun goes back at once, what was begun ends as ever.
    void close();
    /// After close(): what was begun goes back too, its exchanges end unheard. How many there were.
    std::size_t giveUp();
    bool idle() const;

    const QueueEndpoint& endpoint() const { return endpoint_; }
    QueueLoop& loop() const { return *loop_; }
    const core::InboundPort& port() const { return loop_->bus().port(); }
    queues::Session& session() const { return *session_; }
    /// For what has to become durable: when the store has failed this queue is closed.
    queues::Done watched();
    /// The exchange of this consumer has ended, its message is settled.
    void ended(std::size_t consumer);

private:
    struct Consumer {
        queues::ConsumerId id = 0;
        std::deque<queues::Delivery> waiting{};
        std::shared_ptr<QueueExchange> current{};
        bool busy = false;  ///< serve() is under way
    };
    struct Again final : Timer {
        explicit Again(InboundQueue& queue) : owner(queue) {}
        void onTimer() override;
        InboundQueue& owner;
    };

    Result<queues::ConsumerId> consume(queues::Handler handler) const;
    void take(std::size_t consumer, queues::Delivery delivery);
    void serve(std::size_t consumer);
    bool begin(std::size_t consumer);

    const std::shared_ptr<QueueLoop> loop_;
    const QueueEndpoint endpoint_;
    const std::unique_ptr<queues::Session> session_;
    std::vector<Consumer> consumers_;
    Again again_{*this};
    bool closed_ = false;
};

}  // namespace postbus::queue
