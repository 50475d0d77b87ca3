#include "queues/store/memory_store.hpp"

#include <algorithm>
#include <tuple>

namespace postbus::queues {

void MemoryStore::commit(Batch batch, Done done) {
    {
        std::lock_guard lock(mutex_);
        closed_ = false;
        pending_.emplace_back(std::move(batch), std::move(done));
    }
    if (executor_) executor_->post([this] { deliver(); });
}

bool MemoryStore::deliver() {
    std::deque<std::pair<Batch, Done>> taken;
    {
        std::lock_guard lock(mutex_);
        taken.swap(pending_);
        for (auto& [batch, done] : taken) apply(batch);
    }
    for (auto& [batch, done] : taken)
        if (done) done(ok());
    return !taken.empty();
}

void MemoryStore::apply(Batch& batch) {
    for (QueueRow& each : batch.putQueues) tables_.queues[each.id] = std::move(each);
    for (NewBody& each : batch.putBodies)
        tables_.bodies[each.id] = {std::move(each.head), each.bytes ? *each.bytes : std::string()};
    for (MessageRow& each : batch.putMessages) {
        const MessageId id = each.id;
        tables_.messages[id] = std::move(each);
    }
    for (MessageChange& each : batch.changeMessages) {
        const auto found = tables_.messages.find(each.id);
        if (found == tables_.messages.end()) continue;
        MessageRow& row = found->second;
        std::tie(row.queue, row.expires, row.due, row.deliveries) =
            std::tie(each.queue, each.expires, each.due, each.deliveries);
        row.note = std::move(each.note);
    }
    for (const MessageId each : batch.dropMessages) tables_.messages.erase(each);
    for (const BodyId each : batch.dropBodies) tables_.bodies.erase(each);
    for (SeenRow& each : batch.putSeen) tables_.seen[{each.queue, std::move(each.key)}] = each.at;
    for (SeenRow& each : batch.dropSeen) tables_.seen.erase({each.queue, std::move(each.key)});
    for (const QueueId each : batch.dropQueues) {
        tables_.queues.erase(each);
        std::erase_if(tables_.seen, [each](const auto& seen) { return seen.first.first == each; });
    }
}

Result<Content> MemoryStore::read(BodyId id) {
    std::lock_guard lock(mutex_);
    const auto found = tables_.bodies.find(id);
    if (found == tables_.bodies.end()) return Error::internal("the queue store has no body " + std::to_string(id));
    return found->second;
}

Result<std::string> MemoryStore::readHead(BodyId id) {
    auto content = read(id);
    if (!content) return std::move(content).error();
    return std::move(content->head);
}

Result<void> MemoryStore::scan(const Visitor& visitor) {
    Tables copy;
    {
        std::lock_guard lock(mutex_);
        copy = tables_;
    }
    for (auto& [id, row] : copy.queues) visitor.queue(row);
    std::vector<SeenRow> seen;
    for (auto& [key, at] : copy.seen) seen.push_back({key.first, key.second, at});
    std::stable_sort(seen.begin(), seen.end(), [](const SeenRow& a, const SeenRow& b) { return a.at < b.at; });
    for (SeenRow& each : seen) visitor.seen(std::move(each));
    for (auto& [id, row] : copy.messages) visitor.message(row);
    return ok();
}

bool MemoryStore::wasClosed() const {
    std::lock_guard lock(mutex_);
    return wasClosed_;
}

Result<void> MemoryStore::close() {
    while (deliver()) {
    }
    std::lock_guard lock(mutex_);
    closed_ = true;
    return ok();
}

void MemoryStore::reopen() {
    std::lock_guard lock(mutex_);
    pending_.clear();
    wasClosed_ = closed_;
    closed_ = false;
}

}  // namespace postbus::queues
