#include <algorithm>

#include "queues/engine/core/core.hpp"
#include "queues/engine/core/message_properties.hpp"

/// Purge, move and retry: many messages in batches, each durable before the next begins.
namespace postbus::queues {
namespace {

constexpr std::size_t kBatch = 500;
constexpr std::size_t kLooked = 5000;  ///< messages that are looked at before others get in between

}  // namespace

struct Core::Bulk {
    BulkKind kind = BulkKind::Purge;
    QueuePtr from;
    std::string to;
    Selector selector;
    std::vector<MessageId> ids;  ///< sorted
    std::uint64_t limit = 0, taken = 0;
    MessageId last = 0, end = 0;  ///< where it is, and where it began to grow
    Counted done;
};

void Core::bulk(BulkKind kind, std::string_view from, std::string_view to, const Choice& choice, Counted done) {
    Locked locked(*this);
    const auto refuse = [&](Error error) {
        after_.push_back([done = std::move(done), error = std::move(error)] { done(error); });
    };
    if (auto able = usable(); !able) return refuse(std::move(able).error());
    const auto source = queues_.find(from);
    if (source == queues_.end()) return refuse({Error::Kind::NotFound, "no queue '" + std::string(from) + "'"});
    auto selector = Selector::compile(choice.selector);
    if (!selector) return refuse(std::move(selector).error());
    auto work = std::make_shared<Bulk>();
    work->kind = kind;
    work->from = source->second;
    work->to = to;
    work->selector = std::move(*selector);
    work->ids = choice.ids;
    std::sort(work->ids.begin(), work->ids.end());
    work->limit = choice.limit ? choice.limit : UINT64_MAX;
    work->end = nextMessage_;  // what comes from now on stays
    if (kind == BulkKind::Move) {
        auto target = findOrCreate(to);
        if (!target) return refuse(std::move(target).error().in("can't move"));
        if ((*target)->transient() || *target == work->from.get())
            return refuse(Error::invalid("messages can't be moved to '" + std::string(to) + "'"));
    }
    work->done = std::move(done);
    continueBulk(work);
}

bool Core::bulkTakes(const Bulk& bulk, Entry& entry) {
    if (entry.state != Entry::State::Ready && entry.state != Entry::State::Scheduled) return false;
    if (bulk.kind == BulkKind::Retry && !entry.note) return false;
    if (!bulk.ids.empty() && !std::binary_search(bulk.ids.begin(), bulk.ids.end(), entry.id)) return false;
    if (bulk.selector.selectsAll()) return true;
    if (entry.message) return bulk.selector.matches(MessageProperties(*entry.message));
    auto head = store_->readHead(entry.body);
    const auto message = head ? decodeHead(*head) : std::nullopt;
    return message && bulk.selector.matches(MessageProperties(*message));
}

Result<Queue*> Core::bulkTarget(const Bulk& bulk, const Entry& entry) {
    return findOrCreate(bulk.kind == BulkKind::Move ? bulk.to : entry.note->origin);
}

void Core::continueBulk(const std::shared_ptr<Bulk>& bulk) {
    Batch batch;
    std::vector<std::pair<Entry*, Queue*>> taken;
    auto& entries = bulk->from->entries;
    std::size_t looked = 0;
    for (auto at = entries.upper_bound(bulk->last); at != entries.end() && at->first < bulk->end; ++at) {
        if (taken.size() == kBatch || looked++ == kLooked || bulk->taken + taken.size() == bulk->limit) break;
        bulk->last = at->first;
        Entry& entry = *at->second;
        if (stopping_ || !bulkTakes(*bulk, entry)) continue;
        Queue* target = nullptr;
        if (bulk->kind != BulkKind::Purge) {
            auto found = bulkTarget(*bulk, entry);
            if (!found || (*found)->transient() || *found == bulk->from.get()) continue;
            store(*(target = *found));
        }
        taken.emplace_back(&entry, target);
    }
    for (auto& [entry, target] : taken) {
        withdraw(*entry);
        entry->state = Entry::State::Leaving;
        if (!target)
            dropRow(batch, *entry);
        else if (entry->durable())
            batch.changeMessages.push_back({entry->id, target->id, entry->expires, 0, 0, {}});
    }
    const bool idle = taken.empty() && looked <= kLooked;
    if (idle) {
        after_.push_back([bulk] { bulk->done(bulk->taken); });
        return;
    }
    commitOrRun(std::move(batch), [this, bulk, taken = std::move(taken)](const Result<void>& result) {
        concludeBulk(bulk, taken, result);
    });
}

void Core::concludeBulk(const std::shared_ptr<Bulk>& bulk, const std::vector<std::pair<Entry*, Queue*>>& entries,
                        const Result<void>& result) {
    for (auto& [entry, target] : entries) {
        if (!result) {
            makeReady(*entry);
        } else if (!target) {
            erase(*entry);
        } else {
            entry->note.reset();
            entry->deliveries = entry->stored = 0;
            entry->suspect = entry->seen = false;
            entry->dueWall = 0;
            transfer(*entry, *target);
        }
    }
    if (!result) {
        after_.push_back([bulk, result] { bulk->done(result.error()); });
        return;
    }
    bulk->taken += entries.size();
    continueBulk(bulk);
}

}  // namespace postbus::queues
