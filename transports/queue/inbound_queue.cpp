#include "transports/queue/inbound_queue.hpp"

#include <algorithm>
#include <utility>

#include "base/log/event.hpp"
#include "transports/queue/queue_events.hpp"

namespace postbus::queue {
namespace {

/// How often an endpoint that has messages and no service looks whether one has come.
constexpr milliseconds lookAgain{250};

}  // namespace

InboundQueue::InboundQueue(std::shared_ptr<QueueLoop> loop, QueueEndpoint endpoint,
                           std::unique_ptr<queues::Session> session)
    : loop_(std::move(loop)),
      endpoint_(std::move(endpoint)),
      session_(std::move(session)),
      consumers_(endpoint_.consumers) {}

Result<queues::ConsumerId> InboundQueue::consume(queues::Handler handler) const {
    queues::ConsumerOptions options;
    options.prefetch = 0;  // by credit: so it can be ended without giving back what was begun
    if (endpoint_.subscription)
        return session_->subscribe(endpoint_.queue, *endpoint_.subscription, options, std::move(handler),
                                   endpoint_.settings);
    return session_->consume(endpoint_.queue, options, std::move(handler));
}

Result<void> InboundQueue::open() {
    for (std::size_t i = 0; i < consumers_.size(); ++i) {
        auto made = consume([loop = loop_, weak = weak_from_this(), i](queues::Delivery delivery) {
            loop->post([weak, i, delivery = std::move(delivery)]() mutable {
                if (const auto self = weak.lock()) self->take(i, std::move(delivery));
            });
        });
        if (!made) return std::move(made).error();
        consumers_[i].id = *made;
    }
    for (const Consumer& each : consumers_) session_->addCredit(each.id, endpoint_.prefetch);
    log::emit(EndpointTakes,
              {{"endpoint", endpoint_.name}, {"queue", endpoint_.source()}, {"consumers", endpoint_.consumers}});
    return ok();
}

void InboundQueue::take(std::size_t consumer, queues::Delivery delivery) {
    if (closed_) {
        (void)session_->release(delivery.consumer, delivery.tag);
        return;
    }
    consumers_[consumer].waiting.push_back(std::move(delivery));
    serve(consumer);
}

/// Exchanges that end at once do so in here, one after the other.
void InboundQueue::serve(std::size_t consumer) {
    Consumer& each = consumers_[consumer];
    if (std::exchange(each.busy, true)) return;
    while (!closed_ && !each.current && !each.waiting.empty())
        if (!begin(consumer)) break;
    each.busy = false;
}

bool InboundQueue::begin(std::size_t consumer) {
    core::RequestHead head;
    head.method = "POST";
    core::Admission admission = port().admitNamed(endpoint_.name, head);
    if (!admission.route || !admission.route->endpoint || !admission.binding) {
        loop_->setTimer(again_, Clock::now() + lookAgain);
        return false;
    }
    Consumer& each = consumers_[consumer];
    const auto exchange =
        std::make_shared<QueueExchange>(shared_from_this(), consumer, std::move(each.waiting.front()));
    each.waiting.pop_front();
    each.current = exchange;
    exchange->begin(std::move(admission));
    return true;
}

void InboundQueue::Again::onTimer() {
    const auto self = owner.shared_from_this();
    for (std::size_t i = 0; i < owner.consumers_.size(); ++i) owner.serve(i);
}

void InboundQueue::ended(std::size_t consumer) {
    Consumer& each = consumers_[consumer];
    each.current.reset();
    if (closed_) return session_->leave(each.id);
    session_->addCredit(each.id, 1);
    serve(consumer);
}

void InboundQueue::close() {
    if (std::exchange(closed_, true)) return;
    loop_->cancelTimer(again_);
    for (Consumer& each : consumers_) {
        // The last one first: each goes back to the head.
        for (auto at = each.waiting.rbegin(); at != each.waiting.rend(); ++at)
            (void)session_->release(at->consumer, at->tag);
        each.waiting.clear();
        if (!each.current) session_->leave(each.id);  // what is on its way here goes back as well
    }
    log::emit(EndpointLeaves, {{"endpoint", endpoint_.name}, {"queue", endpoint_.source()}});
}

std::size_t InboundQueue::giveUp() {
    std::size_t count = 0;
    for (Consumer& each : consumers_)
        if (const auto exchange = std::exchange(each.current, nullptr)) {
            exchange->giveUp();
            ++count;
        }
    return count;
}

bool InboundQueue::idle() const {
    return std::none_of(consumers_.begin(), consumers_.end(), [](const Consumer& each) { return each.current; });
}

queues::Done InboundQueue::watched() {
    return [loop = loop_, weak = weak_from_this()](const Result<void>& done) {
        if (done || done.error().kind() != Error::Kind::Internal) return;
        loop->post([weak] {
            if (const auto self = weak.lock()) self->close();
        });
    };
}

}  // namespace postbus::queue
