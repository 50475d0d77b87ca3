#include "queues/engine/core/core.hpp"

#include <random>

namespace postbus::queues {

Core::Locked::~Locked() {
    const auto calls = std::exchange(core_.after_, {});
    const bool wake = std::exchange(core_.wake_, false) && core_.asleep_;
    lock_.unlock();
    if (wake) core_.waker_.notify_one();
    for (const auto& each : calls) each();
}

Core::Core(std::unique_ptr<QueueStore> store, EngineSettings settings, Clocks clocks)
    : settings_(std::move(settings)), clocks_(std::move(clocks)), store_(std::move(store)) {
    // Numbers start again when nothing is left in the store; ids must not.
    std::random_device source;
    char text[24];
    std::snprintf(text, sizeof text, "%08x%08x-", source(), source());
    nonce_ = text;
}

Core::~Core() { shut(); }

void Core::start() {
    thread_ = std::thread([this] { run(); });
}

void Core::run() {
    for (;;) {
        while (step()) {
        }
        std::unique_lock lock(mutex_);
        if (stopping_) return;
        if (!dirty_.empty() || !handouts_.empty()) continue;
        const TimePoint next = nextTimer();
        const TimePoint time = now();
        if (next <= time) continue;
        asleep_ = true;
        // What wakes is always noticed by the next step: no predicate is needed. Not for ever, since the sanitizers and
        // some libraries can't count so far.
        waker_.wait_for(lock, std::min<Clock::duration>(next - time, std::chrono::hours(1)));
        asleep_ = false;
    }
}

Result<void> Core::stop() {
    {
        Locked locked(*this);
        if (auto able = usable(); !able) return able;
        for (auto& [id, session] : sessions_)
            for (const TransactionId each : session.transactions) rollBack(transactions_[each]);
        transactions_.clear();
        while (!consumers_.empty()) closeConsumer(ConsumerPtr(consumers_.begin()->second));
        refuseParked();
        stopping_ = true;
        wake_ = true;
        Batch batch;
        for (auto& [name, queue] : queues_) {
            for (auto& [id, entry] : queue->entries) {
                // That it has been delivered must be known later, even where it counts for no attempt.
                if (entry->seen) entry->deliveries = std::max(entry->deliveries, 1u);
                if (entry->durable() && entry->deliveries > entry->stored && entry->state != Entry::State::Leaving)
                    batch.changeMessages.push_back(changeOf(*entry));
            }
        }
        if (!batch.empty()) store_->commit(std::move(batch), [](const Result<void>&) {});
    }
    if (thread_.joinable()) thread_.join();
    return store_->close();
}

void Core::refuseParked() {
    for (auto& [name, queue] : queues_) {
        for (Parked& each : queue->parked)
            after_.push_back(
                [done = std::move(each.done)] { done(Error(Error::Kind::Unavailable, "the queues are stopped")); });
        parked_ -= queue->parked.size();
        queue->parked.clear();
    }
}

void Core::shut() {
    std::shared_ptr<QueueStore> store;
    {
        Locked locked(*this);
        if (!stopping_) refuseParked();
        stopping_ = true;
        wake_ = true;
    }
    if (thread_.joinable()) thread_.join();
    {
        Locked locked(*this);
        store.swap(store_);
    }
    store.reset();  // what it still confirms finds an engine that takes nothing
}

QueueStore::State Core::storeState() const {
    std::lock_guard lock(mutex_);
    return store_ ? store_->state() : QueueStore::State::Failed;
}

}  // namespace postbus::queues
