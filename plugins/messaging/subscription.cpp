#include "plugins/messaging/subscription.hpp"

#include <algorithm>
#include <utility>

#include "base/log/event.hpp"
#include "plugins/messaging/hub.hpp"
#include "plugins/messaging/messaging_events.hpp"

/// The engine may be called with mutex_: what it calls back takes that on threads of its own only, and no outcome of an
/// operation takes it.
namespace postbus::messaging {

namespace {

/// Of a subscription that is not durable: one for each service, topic and selector.
std::string nameOfOwn(const SubscriptionOptions& options, std::string_view service) {
    std::string name(service);
    name.append(":").append(options.from.name);
    if (!options.selector.empty()) name.append(":").append(options.selector);
    return name;
}

}  // namespace

Subscription::Subscription(Hub& hub, Owner& owner, SubscriptionOptions options, Taker taker)
    : hub_(hub), owner_(owner), options_(std::move(options)), taker_(taker), places_(options_.concurrency) {}

void Subscription::begin() {
    const std::lock_guard lock(mutex_);
    if (closed_ || std::exchange(begun_, true)) return;
    owner_.enter();
}

Result<queues::ConsumerId> Subscription::consume(const Session& session, std::size_t place, std::uint64_t round) {
    queues::ConsumerOptions options;
    options.prefetch = 0;  // by credit: so it can be ended without giving back what was begun
    const auto handler = [weak = weak_from_this(), place, round](queues::Delivery delivery) {
        if (const auto self = weak.lock()) self->take(place, round, std::move(delivery));
    };
    if (!options_.from.topic) {
        options.selector = options_.selector;
        return session->consume(options_.from.name, options, handler);
    }
    // Shared, so that all places take from one, and the next version of a plugin from that of the former.
    queues::SubscriptionOptions subscription;
    subscription.durable = !options_.name.empty();
    subscription.shared = true;
    subscription.name = subscription.durable ? options_.name : nameOfOwn(options_, owner_.name());
    subscription.selector = options_.selector;
    return session->subscribe(options_.from.name, subscription, options, handler);
}

void Subscription::use(const Session& session) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t round = ++round_;
    for (Place& each : places_) vacate(each);
    if (closed_ || !begun_ || !session) return;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        auto consumer = consume(session, i, round);
        if (!consumer) {
            log::emit(
                SubscriptionRefused,
                {{"service", owner_.name()}, {"from", options_.from.name}, {"reason", consumer.error().message()}});
            for (Place& each : places_) vacate(each);
            return;
        }
        places_[i].session = session;
        places_[i].consumer = *consumer;
    }
    for (const Place& each : places_) session->addCredit(each.consumer, 1 + options_.prefetch);
    log::emit(SubscriptionTakes,
              {{"service", owner_.name()}, {"from", options_.from.name}, {"consumers", options_.concurrency}});
}

/// With mutex_. What a consumer works on keeps it until then.
void Subscription::vacate(Place& place) {
    if (!place.session) return;
    // The last one first: each goes back to the head.
    for (auto at = place.waiting.rbegin(); at != place.waiting.rend(); ++at)
        (void)place.session->release(at->consumer, at->tag);
    place.waiting.clear();
    place.scheduled = false;
    const bool works =
        place.current && place.current->consumer() == place.consumer && place.current->session() == place.session;
    if (!works) place.session->leave(place.consumer);
    place.session.reset();
}

void Subscription::take(std::size_t index, std::uint64_t round, queues::Delivery delivery) {
    {
        const std::lock_guard lock(mutex_);
        Place& place = places_[index];
        if (round != round_ || !place.session) {
            // Its consumer is gone, and it with it; unless that one works still.
            if (place.current && place.current->consumer() == delivery.consumer)
                (void)place.current->session()->release(delivery.consumer, delivery.tag);
            return;
        }
        place.waiting.push_back(std::move(delivery));
        if (place.current || std::exchange(place.scheduled, true)) return;
    }
    schedule(index);
}

void Subscription::schedule(std::size_t index) {
    if (!hub_.bus().workers().submit([self = shared_from_this(), index] { self->serve(index); }))
        hub_.again(weak_from_this());
}

void Subscription::resume() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        {
            const std::lock_guard lock(mutex_);
            if (!places_[i].scheduled) continue;
        }
        schedule(i);
    }
}

/// One message, on a worker; after it others may have that.
void Subscription::serve(std::size_t index) {
    LentDelivery* delivery = nullptr;
    {
        const std::lock_guard lock(mutex_);
        Place& place = places_[index];
        if (!std::exchange(place.scheduled, false) || place.current || place.waiting.empty()) return;
        delivery =
            new LentDelivery(hub_, owner_, place.session, std::move(place.waiting.front()), shared_from_this(), 2);
        place.waiting.pop_front();
        place.current = delivery;
    }
    try {
        taker_.take(taker_.context, delivery->c());
    } catch (...) {
        owner_.misbehaved("the taking of a message");
        if (!delivery->settled()) delivery->settle(POSTBUS_SETTLE_FAIL, "the service threw something", {});
    }
    delivery->drop();
}

void Subscription::over(LentDelivery& delivery) {
    std::size_t index = 0;
    bool more = false, ends = false;
    {
        const std::lock_guard lock(mutex_);
        while (places_[index].current != &delivery) ++index;
        Place& place = places_[index];
        place.current = nullptr;
        if (place.session == delivery.session() && place.consumer == delivery.consumer())
            place.session->addCredit(place.consumer, 1);
        else
            delivery.session()->leave(delivery.consumer());  // it was kept for this one
        more = !place.waiting.empty() && !std::exchange(place.scheduled, true);
        ends = endsNow();
    }
    if (more) schedule(index);
    if (ends) sayClosed();
}

/// With mutex_: whether whoever asks has to say that it is closed.
bool Subscription::endsNow() {
    const bool works = std::any_of(places_.begin(), places_.end(), [](const Place& each) { return each.current; });
    return closed_ && !works && !std::exchange(ending_, true);
}

void Subscription::sayClosed() {
    // Its owner is counted in until then: so it is there, though nothing else keeps it.
    hub_.call(owner_, "the end of a subscription", [self = shared_from_this()] {
        try {
            self->taker_.closed(self->taker_.context);
        } catch (...) {
            self->owner_.misbehaved("the end of a subscription");
        }
        {
            const std::lock_guard lock(self->mutex_);
            self->ended_ = true;
        }
        self->owner_.leave();
    });
}

void Subscription::close() {
    bool ends = false, never = false;
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(closed_, true)) return;
        never = !begun_;
        for (Place& each : places_) vacate(each);
        ends = !never && endsNow();
        if (never) ending_ = ended_ = true;
    }
    if (never) return taker_.closed(taker_.context);
    log::emit(SubscriptionLeaves, {{"service", owner_.name()}, {"from", options_.from.name}});
    if (ends) sayClosed();
}

std::size_t Subscription::giveUp() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const Place& each : places_) {
        if (!each.current || each.current->settled()) continue;
        each.current->withdraw();
        ++count;
    }
    return count;
}

std::size_t Subscription::atWork() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::count_if(places_.begin(), places_.end(), [](const Place& each) { return each.current; }));
}

bool Subscription::ended() const {
    const std::lock_guard lock(mutex_);
    return ended_;
}

}  // namespace postbus::messaging
