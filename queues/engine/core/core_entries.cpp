#include "queues/engine/core/core.hpp"

/// The life of an entry between its arrival and its end.
namespace postbus::queues {
namespace {

constexpr std::size_t kIdleGroups = 10'000;  ///< that a queue remembers the consumer of

std::uint64_t weight(std::uint64_t bodySize) { return bodySize + 256; }

}  // namespace

MessageRow Core::rowOf(const Entry& entry) const {
    MessageRow row;
    row.id = entry.id;
    row.queue = entry.queue->id;
    row.body = entry.body;
    row.sent = entry.sent;
    row.expires = entry.expires;
    row.due = entry.dueWall;
    row.deliveries = entry.deliveries;
    row.size = entry.size;
    row.priority = entry.priority;
    if (entry.groupName) {
        row.group = *entry.groupName;
        // No name ends with it: the last of its group.
        if (entry.closesGroup) row.group += '\0';
    }
    return row;
}

MessageChange Core::changeOf(const Entry& entry) const {
    return {entry.id,      entry.queue->id,  entry.expires,
            entry.dueWall, entry.deliveries, entry.note ? encode(*entry.note) : std::string()};
}

void Core::makeReady(Entry& entry) {
    entry.holder.reset();
    if (entry.queue->gone) return discard(entry);
    if (entry.expiresAt <= now()) return expire(entry);
    Queue& queue = *entry.queue;
    entry.state = Entry::State::Ready;
    queue.ready[entry.priority].insert(&entry);
    ++queue.readyCount;
    for (const ConsumerPtr& each : queue.consumers) {
        MessageId& cursor = each->cursor[entry.priority];
        cursor = std::min(cursor, entry.id - 1);
    }
    touch(queue);
}

void Core::postpone(Entry& entry, TimePoint until) {
    entry.holder.reset();
    if (entry.queue->gone) return discard(entry);
    if (entry.expiresAt <= now()) return expire(entry);
    entry.state = Entry::State::Scheduled;
    entry.due = until;
    due_.emplace(until, &entry);
    ++entry.queue->scheduledCount;
    wake_ = true;
}

void Core::withdraw(Entry& entry) {
    if (entry.state == Entry::State::Ready) {
        entry.queue->ready[entry.priority].erase(&entry);
        --entry.queue->readyCount;
    } else if (entry.state == Entry::State::Scheduled) {
        due_.erase({entry.due, &entry});
        --entry.queue->scheduledCount;
    }
}

void Core::joinGroup(Queue& queue, Entry& entry, const std::string& name) {
    if (name.empty()) return;
    const auto [found, added] = queue.groups.try_emplace(name);
    entry.groupName = &found->first;
    entry.group = &found->second;
    ++found->second.messages;
}

void Core::leaveGroup(Entry& entry) {
    if (!entry.group) return;
    auto& groups = entry.queue->groups;
    const bool idle = --entry.group->messages == 0;
    // A group without messages still belongs to its consumer.
    if (idle && (!entry.group->owner || groups.size() > kIdleGroups)) groups.erase(groups.find(*entry.groupName));
    entry.group = nullptr;
    entry.groupName = nullptr;
}

void Core::forgetContent(Entry& entry) {
    if (!entry.message) return;
    entry.message.reset();
    entry.queue->memory -= weight(entry.size);
    memory_ -= weight(entry.size);
}

void Core::dropRow(Batch& batch, const Entry& entry) const {
    if (!entry.durable()) return;
    batch.dropMessages.push_back(entry.id);
    if (entry.body > 0) batch.dropBodies.push_back(entry.body);
}

void Core::dropShared(BodyId body) {
    const auto found = shared_.find(body);
    if (found == shared_.end() || --found->second != 0) return;
    shared_.erase(found);
    // By itself, after the last of its messages has gone: those may end in any order. What a crash leaves of it, the
    // store finds when it opens.
    Batch batch;
    batch.dropBodies.push_back(body);
    commitOrRun(std::move(batch), [](const Result<void>&) {});
}

EntryPtr Core::take(Entry& entry) {
    withdraw(entry);
    expiring_.erase({entry.expiresAt, &entry});
    Queue& queue = *entry.queue;
    const auto found = queue.entries.find(entry.id);
    EntryPtr taken = std::move(found->second);
    queue.entries.erase(found);
    queue.bytes -= entry.size;
    if (!entry.durable()) fleeting_ -= entry.size;
    if (entry.message) {
        queue.memory -= weight(entry.size);
        memory_ -= weight(entry.size);
    }
    leaveGroup(entry);
    return taken;
}

void Core::erase(Entry& entry) {
    Queue& queue = *entry.queue;
    const EntryPtr taken = take(entry);
    if (taken->body < 0) dropShared(taken->body);
    unpark(queue);
}

void Core::transfer(Entry& entry, Queue& target) {
    Queue& source = *entry.queue;
    const std::string group = entry.groupName ? *entry.groupName : std::string();
    EntryPtr taken = take(entry);
    taken->queue = &target;
    taken->state = Entry::State::Pending;
    joinGroup(target, *taken, group);
    target.bytes += taken->size;
    if (!taken->durable()) fleeting_ += taken->size;
    if (taken->message) {
        target.memory += weight(taken->size);
        memory_ += weight(taken->size);
    }
    taken->due = {};
    arrive(std::move(taken));
    unpark(source);
}

void Core::commitOrRun(Batch batch, Done done) {
    if (batch.empty()) return done(ok());
    if (stopping_) return;  // nothing may follow what stop() has stored
    store_->commit(std::move(batch), [this, done = std::move(done)](Result<void> result) {
        Locked locked(*this);
        done(std::move(result));
    });
}

void Core::touch(Queue& queue) {
    if (queue.dirty || queue.consumers.empty()) return;
    queue.dirty = true;
    dirty_.push_back(&queue);
    wake_ = true;
}

}  // namespace postbus::queues
