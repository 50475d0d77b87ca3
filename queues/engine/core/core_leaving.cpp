#include "queues/engine/core/core.hpp"
#include "queues/engine/engine_events.hpp"

/// How messages leave their queue other than by acknowledgement, and what time does to them.
namespace postbus::queues {

void Core::runTimers() {
    const TimePoint time = now();
    while (!expiring_.empty() && expiring_.begin()->first <= time) {
        Entry& entry = *expiring_.begin()->second;
        expiring_.erase(expiring_.begin());
        // What is under delivery is looked at again when it comes back.
        if (entry.state != Entry::State::Ready && entry.state != Entry::State::Scheduled) continue;
        withdraw(entry);
        expire(entry);
    }
    while (!due_.empty() && due_.begin()->first <= time) {
        Entry& entry = *due_.begin()->second;
        withdraw(entry);
        makeReady(entry);
    }
}

TimePoint Core::nextTimer() const {
    TimePoint next = TimePoint::max();
    if (!due_.empty()) next = std::min(next, due_.begin()->first);
    if (!expiring_.empty()) next = std::min(next, expiring_.begin()->first);
    return next;
}

void Core::expire(Entry& entry) {
    Queue& queue = *entry.queue;
    ++queue.counters.expired;
    entry.state = Entry::State::Leaving;
    const std::string& name = queue.settings().expiry;
    if (name.empty() || name == queue.name) return discard(entry);
    auto target = findOrCreate(name);
    if (!target) return discard(entry);
    moveTo(entry, **target,
           std::make_unique<DeadLetter>(DeadLetter{queue.name, "expired", entry.deliveries, clocks_.wall()}));
}

void Core::setAside(Entry& entry, std::string_view reason) {
    withdraw(entry);
    Queue& queue = *entry.queue;
    ++queue.counters.dead;
    after_.push_back([name = queue.name, why = std::string(reason), attempts = entry.deliveries] {
        log::emit(MessageDead, {{"queue", name}, {"reason", why}, {"attempts", attempts}});
    });
    entry.state = Entry::State::Leaving;
    // What lives in memory for one consumer has nobody to look after its dead letters.
    if (queue.transient() || entry.note) return discard(entry);
    moveTo(entry, deadLettersOf(queue),
           std::make_unique<DeadLetter>(DeadLetter{queue.name, std::string(reason), entry.deliveries, clocks_.wall()}));
}

void Core::moveTo(Entry& entry, Queue& target, std::unique_ptr<DeadLetter> note) {
    store(target);
    Batch batch;
    if (entry.durable()) {
        const std::int64_t expires = note ? 0 : entry.expires;
        batch.changeMessages.push_back({entry.id, target.id, expires, 0, 0, note ? encode(*note) : std::string()});
    }
    commitOrRun(std::move(batch), [this, &entry, &target,
                                   note = std::shared_ptr<DeadLetter>(std::move(note))](const Result<void>& result) {
        if (!result) return postpone(entry, now() + std::chrono::seconds(1));
        expiring_.erase({entry.expiresAt, &entry});
        entry.note = note ? std::make_unique<DeadLetter>(*note) : nullptr;
        if (note) {
            entry.expires = 0;
            entry.expiresAt = TimePoint::max();
        }
        entry.deliveries = entry.stored = 0;
        entry.suspect = entry.seen = false;
        transfer(entry, target);
    });
}

void Core::discard(Entry& entry) {
    withdraw(entry);
    entry.state = Entry::State::Leaving;
    Batch batch;
    dropRow(batch, entry);
    commitOrRun(std::move(batch), [this, &entry](const Result<void>& result) {
        if (result || entry.queue->gone) return erase(entry);
        postpone(entry, now() + std::chrono::seconds(1));
    });
}

}  // namespace postbus::queues
