#include "plugins/messaging/receive.hpp"

#include <algorithm>
#include <utility>

#include "plugins/messaging/hub.hpp"

namespace postbus::messaging {
namespace {

/// A little for the engine's thread even without a wait.
constexpr milliseconds shortestWait{100};

}  // namespace

void ReceiveRoll::add(std::shared_ptr<Receive> receive) {
    const std::lock_guard lock(mutex_);
    receives_.push_back(std::move(receive));
}
void ReceiveRoll::remove(const Receive& receive) {
    std::shared_ptr<Receive> last;  // goes without the lock
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(receives_.begin(), receives_.end(), [&](const auto& each) { return each.get() == &receive; });
    if (found == receives_.end()) return;
    last = std::move(*found);
    receives_.erase(found);
}
std::vector<std::shared_ptr<Receive>> ReceiveRoll::all() const {
    const std::lock_guard lock(mutex_);
    return receives_;
}
bool ReceiveRoll::empty() const {
    const std::lock_guard lock(mutex_);
    return receives_.empty();
}

void Receive::begin() {
    if (bound()) {
        watch_.watch.size = sizeof watch_.watch;
        watch_.watch.cancelled = &Receive::cancelled;
        watch_.receive = this;
        if (!core::Exchange::of(wanted_.caller).watches().add(watch_.watch))
            return end({POSTBUS_QUEUE_CANCELLED, "nobody waits for the call any more"});
    }
    if (const Session session = hub_.session()) return consume(session);
    hub_.use([self = shared_from_this()](const Result<Session>& session) {
        session ? self->consume(*session) : self->end(Ended::of(session.error()));
    });
}

void Receive::cancelled(postbus_watch* watch) {
    reinterpret_cast<Watch*>(watch)->receive->end({POSTBUS_QUEUE_CANCELLED, "nobody waits for the call any more"});
}

void Receive::consume(const Session& session) {
    queues::ConsumerOptions options;
    options.selector = wanted_.selector;
    options.prefetch = 0;  // one message, by credit
    auto consumer = session->consume(wanted_.queue, options, [weak = weak_from_this()](queues::Delivery delivery) {
        if (const auto self = weak.lock()) self->take(std::move(delivery));
    });
    if (!consumer) return end(Ended::of(consumer.error()));
    bool waits = false;
    {
        const std::lock_guard lock(mutex_);
        waits = owed_ != nullptr;
        if (waits) {
            session_ = session;
            consumer_ = *consumer;
        }
    }
    if (!waits) return session->leave(*consumer);
    session->addCredit(*consumer, 1);
    const bool timed = hub_.post([self = shared_from_this()] {
        {
            const std::lock_guard lock(self->mutex_);
            if (!self->owed_) return;
        }
        self->hub_.loop().setTimer(*self, std::max(self->wanted_.until, Clock::now() + shortestWait));
    });
    if (!timed) end({POSTBUS_QUEUE_UNAVAILABLE, "the queues are closed: the bus ends"});
}

void Receive::take(queues::Delivery delivery) {
    OwedPtr owed;
    LentDelivery* lent = nullptr;
    {
        const std::lock_guard lock(mutex_);
        if (!owed_) return;  // its consumer is gone, and it went back with that
        owed = std::exchange(owed_, nullptr);
        lent = current_ = new LentDelivery(hub_, owner_, session_, std::move(delivery), shared_from_this(), 1);
    }
    tidy();
    owed->tell({POSTBUS_QUEUE_DONE, {}, lent});
}

void Receive::end(Ended ended) {
    const auto self = shared_from_this();
    OwedPtr owed;
    Session session;
    {
        const std::lock_guard lock(mutex_);
        if (!owed_) return;
        owed = std::exchange(owed_, nullptr);
        session = std::exchange(session_, nullptr);
    }
    if (session) session->leave(consumer_);
    tidy();
    roll_->remove(*this);
    owed->tell(std::move(ended));
}

/// What would end it is not needed any more.
void Receive::tidy() {
    core::WatchList::remove(watch_.watch);
    (void)hub_.post([self = shared_from_this()] { self->hub_.loop().cancelTimer(*self); });
}

void Receive::onTimer() { end({POSTBUS_QUEUE_NOTHING}); }

void Receive::over(LentDelivery& delivery) {
    {
        const std::lock_guard lock(mutex_);
        current_ = nullptr;
    }
    delivery.session()->leave(delivery.consumer());
    roll_->remove(*this);
}

bool Receive::giveUp() {
    const std::lock_guard lock(mutex_);
    if (!current_) return false;
    current_->withdraw();
    return true;
}

}  // namespace postbus::messaging
