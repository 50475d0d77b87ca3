#include "admin/taker.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace postbus::admin {

struct Taker::Inbox {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<queues::Delivery> deliveries;
    bool gone = false;  ///< nobody waits

    void put(queues::Delivery delivery) {
        const std::lock_guard lock(mutex);
        deliveries.push_back(std::move(delivery));
        changed.notify_one();
    }
    void leave() {
        const std::lock_guard lock(mutex);
        gone = true;
        changed.notify_one();
    }
    std::optional<queues::Delivery> next(TimePoint until) {
        std::unique_lock lock(mutex);
        changed.wait_until(lock, until, [this] { return gone || !deliveries.empty(); });
        if (gone || deliveries.empty()) return std::nullopt;
        queues::Delivery first = std::move(deliveries.front());
        deliveries.pop_front();
        return first;
    }
};

namespace {

/// From the queue to here.
constexpr std::chrono::seconds longestWay{30};

/// Ends the wait when nobody waits for the exchange any more.
template <class Inbox>
struct Watch {
    postbus_watch watch;  // first: the bus gives this back
    Inbox* inbox;

    Watch(core::Exchange& exchange, Inbox& its) : watch{}, inbox(&its) {
        watch.size = sizeof watch;
        watch.cancelled = [](postbus_watch* told) { reinterpret_cast<Watch*>(told)->inbox->leave(); };
        if (!exchange.watches().add(watch)) its.leave();
    }
    ~Watch() { core::WatchList::remove(watch); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
};

}  // namespace

Taker::Taker() : inbox_(std::make_shared<Inbox>()) {}

Taker::~Taker() {
    if (consumer_) session_->leave(consumer_);
}

Result<std::shared_ptr<Taker>> Taker::open(queues::Engine& engine, std::string_view queue, std::string_view selector) {
    std::shared_ptr<Taker> taker(new Taker);
    taker->session_ = engine.connect();
    queues::ConsumerOptions options;
    options.selector = selector;
    options.prefetch = 0;  // as credit says
    auto consumer = taker->session_->consume(
        queue, options, [inbox = taker->inbox_](queues::Delivery delivery) { inbox->put(std::move(delivery)); });
    if (!consumer) return std::move(consumer).error();
    taker->consumer_ = *consumer;
    return taker;
}

std::optional<queues::Delivery> Taker::next(TimePoint until, core::Exchange& caller) {
    const Watch<Inbox> watch(caller, *inbox_);
    session_->addCredit(consumer_, 1);
    auto delivery = inbox_->next(until);
    // One that has left the queue is worth a longer wait: large ones come from the disk.
    if (!delivery && session_->credit(consumer_) == 0) delivery = inbox_->next(Clock::now() + longestWay);
    return delivery;
}

void Taker::giveBack(const queues::Delivery& delivery) { (void)session_->release(delivery.consumer, delivery.tag); }

void Taker::acknowledge(queues::Tag last, queues::Done done) {
    session_->acknowledgeUpTo(consumer_, last, std::move(done));
}

}  // namespace postbus::admin
