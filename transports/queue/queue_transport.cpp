#include "transports/queue/queue_transport.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/log/event.hpp"
#include "transports/queue/queue_events.hpp"

namespace postbus::queue {

QueueTransport::~QueueTransport() { stop(Clock::now()); }

void QueueTransport::apply(std::shared_ptr<queues::Engine> engine, const std::vector<QueueEndpoint>& endpoints) {
    closeAllBut(engine == engine_ ? endpoints : std::vector<QueueEndpoint>{});
    engine_ = std::move(engine);
    std::vector<Refused> refused;
    open(endpoints, refused);
    const std::lock_guard lock(refusing_);
    refused_ = std::move(refused);
}

std::vector<QueueTransport::Refused> QueueTransport::refused() const {
    const std::lock_guard lock(refusing_);
    return refused_;
}

void QueueTransport::open(const std::vector<QueueEndpoint>& endpoints, std::vector<Refused>& refused) {
    if (!engine_ || endpoints.empty()) return;
    if (!loop_) loop_ = std::make_shared<QueueLoop>(bus_);
    for (const QueueEndpoint& each : endpoints) {
        const bool there =
            std::any_of(queues_.begin(), queues_.end(), [&](const auto& queue) { return queue->endpoint() == each; });
        if (there) continue;
        auto queue = std::make_shared<InboundQueue>(loop_, each, engine_->connect());
        if (auto opened = queue->open(); !opened) {
            log::emit(EndpointRefused,
                      {{"endpoint", each.name}, {"queue", each.source()}, {"reason", opened.error().message()}});
            refused.push_back({each.name, each.source(), opened.error().message()});
            loop_->run([&] { queue->close(), queue.reset(); });
            continue;
        }
        queues_.push_back(std::move(queue));
    }
}

/// Their last references go on the loop, where their timers are.
void QueueTransport::closeAllBut(const std::vector<QueueEndpoint>& kept) {
    if (!loop_) return;
    std::vector<std::shared_ptr<InboundQueue>> stay;
    for (auto& each : queues_) {
        if (std::find(kept.begin(), kept.end(), each->endpoint()) != kept.end())
            stay.push_back(std::move(each));
        else
            closing_.push_back(std::move(each));
    }
    queues_ = std::move(stay);
    loop_->run([this] {
        for (const auto& each : closing_) each->close();
        std::erase_if(closing_, [](const auto& each) { return each->idle(); });
    });
}

bool QueueTransport::idle() {
    bool none = false;
    loop_->run([&] {
        std::erase_if(closing_, [](const auto& each) { return each->idle(); });
        none = closing_.empty();
    });
    return none;
}

std::size_t QueueTransport::stop(TimePoint deadline) {
    if (!loop_) return 0;
    closeAllBut({});
    while (!idle() && Clock::now() < deadline) std::this_thread::sleep_for(milliseconds(5));
    std::size_t givenUp = 0;
    loop_->run([&] {
        for (const auto& each : closing_) givenUp += each->giveUp();
        closing_.clear();
    });
    if (givenUp) log::emit(RequestsGivenUp, {{"requests", givenUp}});
    engine_.reset();
    const auto loop = std::exchange(loop_, nullptr);
    if (!loop->finish(std::max(deadline, Clock::now() + milliseconds(100)))) {
        // Its exchanges come back to it, some day: it is left to the process.
        loop->stay(loop);
    }
    return givenUp;
}

}  // namespace postbus::queue
