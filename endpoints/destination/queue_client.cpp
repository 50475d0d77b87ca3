#include "endpoints/destination/queue_client.hpp"

#include <utility>

namespace postbus::destination {

/// Those who wait, by correlation id. Shared with the engine's handler, which may come late.
struct QueueClient::Waiting {
    std::shared_ptr<Awaiting> take(std::string_view correlationId) {
        const std::lock_guard lock(mutex);
        const auto found = all.find(std::string(correlationId));
        if (found == all.end()) return nullptr;
        std::shared_ptr<Awaiting> who = std::move(found->second);
        all.erase(found);
        return who;
    }

    std::mutex mutex;
    std::unordered_map<std::string, std::shared_ptr<Awaiting>> all;
};

QueueClient::QueueClient(std::function<std::shared_ptr<queues::Engine>()> engine)
    : engine_(std::move(engine)), waiting_(std::make_shared<Waiting>()) {}

QueueClient::~QueueClient() = default;

Result<QueueClient::Ticket> QueueClient::await(const std::shared_ptr<queues::Engine>& engine,
                                               std::shared_ptr<Awaiting> who) {
    std::unordered_map<std::string, std::shared_ptr<Awaiting>> lost;
    Ticket ticket;
    {
        const std::lock_guard lock(mutex_);
        if (!session_ || of_.lock() != engine) {
            auto session = engine->connect();
            auto queue = session->temporaryQueue();
            if (!queue) return std::move(queue).error();
            queues::ConsumerOptions options;
            options.automatic = true;
            auto consumer =
                session->consume(*queue, options, [weak = std::weak_ptr(waiting_)](const queues::Delivery& delivery) {
                    const auto waiting = weak.lock();
                    if (!waiting) return;
                    if (const auto its = waiting->take(delivery.message->correlationId)) its->onReply(delivery.message);
                });
            if (!consumer) return std::move(consumer).error();
            session_ = std::move(session);
            queue_ = std::move(*queue);
            of_ = engine;
            const std::lock_guard others(waiting_->mutex);
            lost.swap(waiting_->all);
        }
        ticket = {queue_, queue_ + '.' + std::to_string(++next_)};
        const std::lock_guard others(waiting_->mutex);
        waiting_->all.emplace(ticket.correlationId, std::move(who));
    }
    for (const auto& [id, each] : lost) each->onReplyLost();
    return ticket;
}

bool QueueClient::leave(std::string_view correlationId) { return waiting_->take(correlationId) != nullptr; }

}  // namespace postbus::destination
