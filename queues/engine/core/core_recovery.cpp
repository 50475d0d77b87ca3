#include "queues/engine/core/core.hpp"
#include "queues/engine/engine_events.hpp"

namespace postbus::queues {

Result<void> Core::recover() {
    std::lock_guard lock(mutex_);
    suspicious_ = !store_->wasClosed();
    std::uint64_t count = 0;
    QueueStore::Visitor visitor;
    visitor.queue = [this](const QueueRow& row) { recoverQueue(row); };
    visitor.seen = [this](SeenRow row) {
        const auto queue = byId_.find(row.queue);
        if (queue != byId_.end()) queue->second->duplicates.recover(std::move(row.key), row.at);
    };
    visitor.message = [this, &count](MessageRow row) {
        ++count;
        recoverMessage(std::move(row));
    };
    if (auto scanned = store_->scan(visitor); !scanned) return scanned;
    for (auto& [name, queue] : queues_) store(*queue);
    log::emit(QueuesRecovered, {{"queues", queues_.size()}, {"messages", count}, {"crashed", suspicious_}});
    return ok();
}

void Core::recoverQueue(const QueueRow& row) {
    nextQueue_ = std::max(nextQueue_, row.id + 1);
    auto record = decodeRecord(row.settings);
    if (!record) return;  // its messages are found, and shown as lost
    if (record->topic) {
        Topic& topic = topics_[row.name.substr(std::string_view("topic/").size())];
        topic.id = row.id;
        topic.stored = true;
        return;
    }
    Queue& queue = addQueue(row.name, std::move(*record), row.id);
    queue.stored = true;
    if (auto selector = Selector::compile(queue.record.subscription.selector)) queue.selector = std::move(*selector);
}

void Core::recoverMessage(MessageRow row) {
    const std::int64_t wall = clocks_.wall();
    const TimePoint time = now();
    nextMessage_ = std::max({nextMessage_, row.id + 1, -row.body + 1});
    if (row.body < 0) ++shared_[row.body];
    auto at = byId_.find(row.queue);
    if (at == byId_.end()) {
        nextQueue_ = std::max(nextQueue_, row.queue + 1);
        QueueRecord record;
        record.settings = settings_.defaults;
        record.pausedOut = true;
        Queue& lost = addQueue("lost." + std::to_string(row.queue), std::move(record), row.queue);
        log::emit(QueueLost, {{"queue", lost.name}});
        at = byId_.find(row.queue);
    }
    Queue& queue = *at->second;
    auto made = std::make_unique<Entry>();
    Entry& entry = *made;
    entry.id = row.id;
    entry.body = row.body;
    entry.queue = &queue;
    entry.sent = row.sent;
    entry.expires = row.expires;
    entry.dueWall = row.due;
    entry.deliveries = entry.stored = row.deliveries;
    entry.size = row.size;
    entry.priority = std::min<std::uint8_t>(row.priority, 9);
    entry.suspect = suspicious_;
    entry.seen = row.deliveries > 0;
    if (row.expires) entry.expiresAt = time + milliseconds(row.expires - wall);
    if (!row.group.empty() && row.group.back() == '\0') {
        entry.closesGroup = true;
        row.group.pop_back();
    }
    joinGroup(queue, entry, row.group);
    if (auto note = row.note.empty() ? std::nullopt : decodeNote(row.note))
        entry.note = std::make_unique<DeadLetter>(std::move(*note));
    queue.bytes += entry.size;
    queue.entries.emplace_hint(queue.entries.end(), entry.id, std::move(made));
    if (entry.expiresAt != TimePoint::max()) expiring_.emplace(entry.expiresAt, &entry);
    if (row.due > wall) {
        entry.state = Entry::State::Scheduled;
        entry.due = time + milliseconds(row.due - wall);
        due_.emplace(entry.due, &entry);
        ++queue.scheduledCount;
    } else {
        entry.state = Entry::State::Ready;
        auto& ready = queue.ready[entry.priority];
        ready.insert(ready.end(), &entry);
        ++queue.readyCount;
    }
}

}  // namespace postbus::queues
