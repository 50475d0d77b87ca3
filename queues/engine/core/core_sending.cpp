#include "queues/engine/core/core.hpp"
#include "queues/engine/core/message_properties.hpp"

namespace postbus::queues {
namespace {

constexpr std::size_t kParked = 10'000;  ///< senders that one queue lets wait

std::uint64_t weight(std::uint64_t bodySize) { return bodySize + 256; }

}  // namespace

void Core::send(std::string_view queue, Message message, Done done) {
    Locked locked(*this);
    if (auto sent = sendLocked(queue, message, done); !sent)
        after_.push_back([done = std::move(done), error = std::move(sent).error()] { done(error); });
}

Result<void> Core::sendLocked(std::string_view name, Message& message, Done& done) {
    if (auto able = usable(); !able) return able;
    auto found = findOrCreate(name);
    if (!found) return std::move(found).error();
    Queue& queue = **found;
    auto admission = admit(queue, message, true);
    if (!admission) return std::move(admission).error();
    if (*admission == Admission::Waits) {
        queue.parked.push_back({std::move(message), std::move(done)});
        ++parked_;
        return ok();
    }
    if (*admission == Admission::Dropped) {
        after_.push_back([done = std::move(done)] { done(ok()); });
        return ok();
    }
    auto sending = std::make_shared<Sending>();
    Batch batch;
    if (duplicate(queue, message, *sending, batch, done)) return ok();
    sending->done = std::move(done);
    accept(queue, std::move(message), *sending, batch);
    submit(std::move(batch), std::move(sending));
    return ok();
}

Result<Core::Admission> Core::admit(Queue& queue, const Message& message, bool mayWait) {
    const std::size_t size = message.body.size();
    if (size > queue.settings().maxMessageSize.bytes)
        return Error(Error::Kind::TooLarge,
                     "a message of " + std::to_string(size) + " bytes; '" + queue.name + "' takes up to " +
                         std::to_string(queue.settings().maxMessageSize.bytes) + " (max-message-size)");
    if (queue.settings().maxBytes.bytes && size > queue.settings().maxBytes.bytes)
        return Error(Error::Kind::TooLarge, "a message of " + std::to_string(size) + " bytes; '" + queue.name +
                                                "' holds up to " + std::to_string(queue.settings().maxBytes.bytes) +
                                                " (max-bytes)");
    if (queue.record.pausedIn) return Error(Error::Kind::Unavailable, "'" + queue.name + "' is paused for senders");
    const bool durable = message.persistent && !queue.transient();
    const bool inTurn = queue.parked.empty() || !mayWait || queue.settings().overflow != Overflow::Wait;
    if (inTurn && hasRoom(queue, size, durable)) return Admission::Taken;
    if (queue.settings().overflow == Overflow::Drop) {
        ++queue.counters.dropped;
        return Admission::Dropped;
    }
    if (mayWait && queue.settings().overflow == Overflow::Wait && queue.parked.size() < kParked)
        return Admission::Waits;
    return Error(Error::Kind::Unavailable, "'" + queue.name + "' is full");
}

bool Core::hasRoom(const Queue& queue, std::size_t size, bool durable) const {
    const QueueSettings& settings = queue.settings();
    if (settings.maxMessages && queue.entries.size() + queue.pending >= settings.maxMessages) return false;
    if (settings.maxBytes.bytes && queue.bytes + size > settings.maxBytes.bytes) return false;
    // What is stored can leave the memory; what waits for the disk, and what is not stored at all, can't.
    if (!durable) return fleeting_ + size <= settings_.memory.bytes || fleeting_ == 0;
    return pendingBytes_ + size <= settings_.memory.bytes || pendingBytes_ == 0;
}

bool Core::duplicate(Queue& queue, const Message& message, Sending& sending, Batch& batch, Done& done) {
    const std::string& key = message.duplicateKey.empty() ? message.id : message.duplicateKey;
    if (queue.settings().duplicateWindow == 0 || key.empty()) return false;
    const std::int64_t wall = clocks_.wall();
    switch (queue.duplicates.look(key, wall)) {
        case Duplicates::Seen::Stored:
            ++queue.counters.duplicates;
            after_.push_back([done = std::move(done)] { done(ok()); });
            return true;
        case Duplicates::Seen::Pending:
            ++queue.counters.duplicates;
            queue.duplicates.wait(key, std::move(done));
            return true;
        case Duplicates::Seen::New:
            break;
    }
    sending.keys.emplace_back(&queue, key);
    const auto forgotten =
        queue.duplicates.forget(queue.settings().duplicateWindow, wall - queue.settings().duplicateTime.count());
    if (queue.transient()) return false;
    batch.putSeen.push_back({queue.id, key, wall});
    for (const std::string& each : forgotten) batch.dropSeen.push_back({queue.id, each, 0});
    return false;
}

void Core::stamp(Message& message) {
    message.timestamp = clocks_.wall();
    message.priority = std::min<std::uint8_t>(message.priority, 9);
    if (message.id.empty()) message.id = "ID:" + nonce_ + std::to_string(nextMessage_);
    message.expires = message.timeToLive.count() > 0 ? message.timestamp + message.timeToLive.count() : 0;
}

void Core::accept(Queue& queue, Message message, Sending& sending, Batch& batch) {
    if (message.timeToLive.count() <= 0) message.timeToLive = queue.settings().timeToLive;
    spread({&queue}, std::move(message), sending, batch);
}

void Core::spread(const std::vector<Queue*>& queues, Message given, Sending& sending, Batch& batch) {
    stamp(given);
    const auto message = std::make_shared<const Message>(std::move(given));
    const auto durable = [&](const Queue* queue) { return message->persistent && !queue->transient(); };
    const auto copies = static_cast<std::uint32_t>(std::count_if(queues.begin(), queues.end(), durable));
    const MessageId first = nextMessage_;
    const BodyId body = copies > 1 ? -first : first;
    for (Queue* each : queues) {
        EntryPtr entry = makeEntry(*each, message, nextMessage_++);
        // A body of its own carries the number of its message, whichever of the copies that is.
        if (durable(each)) {
            entry->body = copies > 1 ? body : entry->id;
            if (copies == 1 || batch.putBodies.empty() || batch.putBodies.back().id != body)
                batch.putBodies.push_back(
                    {entry->body, encodeHead(*message), std::shared_ptr<const std::string>(message, &message->body)});
            batch.putMessages.push_back(rowOf(*entry));
            store(*each);
        } else {
            fleeting_ += entry->size;
        }
        sending.entries.push_back(std::move(entry));
    }
    if (copies > 1) shared_[body] = copies;
}

EntryPtr Core::makeEntry(Queue& queue, const std::shared_ptr<const Message>& message, MessageId id) {
    auto entry = std::make_unique<Entry>();
    entry->id = id;
    entry->queue = &queue;
    entry->sent = message->timestamp;
    entry->expires = message->expires;
    entry->size = static_cast<std::uint32_t>(message->body.size());
    entry->priority = message->priority;
    entry->closesGroup = message->groupSequence == -1;
    const TimePoint time = now();
    if (message->expires) entry->expiresAt = time + message->timeToLive;
    if (message->delay.count() > 0) {
        entry->due = time + message->delay;
        entry->dueWall = message->timestamp + message->delay.count();
    }
    joinGroup(queue, *entry, message->group);
    entry->message = message;
    queue.memory += weight(entry->size);
    memory_ += weight(entry->size);
    queue.bytes += entry->size;
    pendingBytes_ += entry->size;
    ++queue.pending;
    return entry;
}

void Core::submit(Batch batch, std::shared_ptr<Sending> sending) {
    commitOrRun(std::move(batch),
                [this, sending = std::move(sending)](const Result<void>& result) { conclude(*sending, result); });
}

void Core::conclude(Sending& sending, const Result<void>& result) {
    BodyId lost = 0;
    for (EntryPtr& entry : sending.entries) {
        Queue& queue = *entry->queue;
        --queue.pending;
        pendingBytes_ -= entry->size;
        if (result) {
            ++queue.counters.enqueued;
            arrive(std::move(entry));
        } else {
            queue.bytes -= entry->size;
            if (!entry->durable()) fleeting_ -= entry->size;
            forgetContent(*entry);
            leaveGroup(*entry);
            if (entry->body < 0) lost = entry->body;
            unpark(queue);
        }
    }
    if (lost) shared_.erase(lost);
    for (auto& [queue, key] : sending.keys)
        for (Done& each : queue->duplicates.settle(key, bool(result)))
            after_.push_back([each = std::move(each), result] { each(result); });
    for (Entry* each : sending.acknowledged) {
        if (result) {
            ++each->queue->counters.acknowledged;
            erase(*each);
        } else {
            release(*each);
        }
    }
    if (sending.done) after_.push_back([done = std::move(sending.done), result] { done(result); });
    if (parked_ != 0 && !sending.entries.empty()) unparkAll();
}

void Core::arrive(EntryPtr given) {
    Entry& entry = *given;
    Queue& queue = *entry.queue;
    queue.entries.emplace_hint(queue.entries.end(), entry.id, std::move(given));
    if (queue.gone) return discard(entry);
    if (entry.durable() && (queue.memory > queue.settings().memory.bytes || memory_ > settings_.memory.bytes))
        forgetContent(entry);
    if (entry.expiresAt != TimePoint::max()) {
        expiring_.emplace(entry.expiresAt, &entry);
        // The thread may sleep for longer, and where there is no consumer nothing else wakes it.
        wake_ = true;
    }
    if (entry.due > now())
        postpone(entry, entry.due);
    else
        makeReady(entry);
}

/// What waits for the disk has got less, which concerns the senders of all queues.
void Core::unparkAll() {
    if (std::exchange(unparking_, true)) return;
    for (auto& [name, queue] : queues_) unpark(*queue);
    unparking_ = false;
}

void Core::unpark(Queue& queue) {
    while (!queue.parked.empty()) {
        Parked& first = queue.parked.front();
        const bool durable = first.message.persistent && !queue.transient();
        if (!queue.gone && !hasRoom(queue, first.message.body.size(), durable)) return;
        Parked parked = std::move(first);
        queue.parked.pop_front();
        --parked_;
        if (queue.gone) {
            after_.push_back(
                [done = std::move(parked.done)] { done(Error(Error::Kind::NotFound, "the queue was removed")); });
            continue;
        }
        auto sending = std::make_shared<Sending>();
        Batch batch;
        if (duplicate(queue, parked.message, *sending, batch, parked.done)) continue;
        sending->done = std::move(parked.done);
        accept(queue, std::move(parked.message), *sending, batch);
        submit(std::move(batch), std::move(sending));
    }
}

}  // namespace postbus::queues
