#include "queues/engine/core/core.hpp"
#include "queues/engine/core/message_properties.hpp"

namespace postbus::queues {
namespace {

constexpr std::size_t kChunk = 256;  ///< messages that one look under the lock notes

struct Seen {
    Browsed shown;
    BodyId body = 0;
};

}  // namespace

QueueStatus Core::statusOf(const Queue& queue) const {
    QueueStatus status;
    status.name = queue.name;
    status.topic = queue.record.topicName;
    status.temporary = queue.owner != 0;
    status.pausedIn = queue.record.pausedIn;
    status.pausedOut = queue.record.pausedOut;
    status.ready = queue.readyCount;
    status.scheduled = queue.scheduledCount;
    status.inFlight = queue.entries.size() - queue.readyCount - queue.scheduledCount;
    status.bytes = queue.bytes;
    status.memory = queue.memory;
    status.waiting = queue.parked.size();
    status.consumers = static_cast<std::uint32_t>(queue.consumers.size());
    const Counters& counters = queue.counters;
    status.enqueued = counters.enqueued;
    status.acknowledged = counters.acknowledged;
    status.redelivered = counters.redelivered;
    status.dead = counters.dead;
    status.expired = counters.expired;
    status.duplicates = counters.duplicates;
    status.dropped = counters.dropped;
    if (!queue.entries.empty()) status.oldestAge = clocks_.wall() - queue.entries.begin()->second->sent;
    status.settings = queue.settings();
    return status;
}

std::vector<QueueStatus> Core::status() const {
    std::lock_guard lock(mutex_);
    std::vector<QueueStatus> all;
    all.reserve(queues_.size());
    for (const auto& [name, queue] : queues_) all.push_back(statusOf(*queue));
    return all;
}

Result<QueueStatus> Core::status(std::string_view name) const {
    std::lock_guard lock(mutex_);
    const Queue* queue = find(name);
    if (!queue) return Error(Error::Kind::NotFound, "no queue '" + std::string(name) + "'");
    return statusOf(*queue);
}

std::vector<std::string> Core::topics() const {
    std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, topic] : topics_) names.push_back(name);
    return names;
}

Result<std::vector<Browsed>> Core::browse(std::string_view name, const BrowseQuery& query) const {
    auto selector = Selector::compile(query.selector);
    if (!selector) return std::move(selector).error();
    std::vector<Browsed> found;
    MessageId after = query.after;
    for (bool more = true; more && found.size() < query.limit;) {
        std::vector<Seen> seen;
        std::shared_ptr<QueueStore> store;
        {
            std::lock_guard lock(mutex_);
            if (auto able = usable(); !able) return std::move(able).error();
            store = store_;
            const Queue* queue = find(name);
            if (!queue) return Error(Error::Kind::NotFound, "no queue '" + std::string(name) + "'");
            auto at = queue->entries.upper_bound(after);
            for (; at != queue->entries.end() && seen.size() < kChunk; ++at) {
                after = at->first;
                const Entry& entry = *at->second;
                if (entry.state != Entry::State::Ready && entry.state != Entry::State::Scheduled) continue;
                seen.push_back({{entry.id, entry.state == Entry::State::Scheduled, entry.deliveries, entry.message,
                                 entry.size, entry.note ? std::optional(*entry.note) : std::nullopt},
                                entry.body});
            }
            more = at != queue->entries.end();
        }
        for (Seen& each : seen) {
            if (found.size() == query.limit) break;
            // What has gone meanwhile is not shown.
            Message shown;
            if (each.shown.message) {
                if (!query.bodies) {
                    shown = *each.shown.message;
                    shown.body.clear();
                    each.shown.message = std::make_shared<const Message>(std::move(shown));
                }
            } else {
                auto content = query.bodies ? store->read(each.body) : Result<Content>(Content{});
                auto head =
                    query.bodies ? Result<std::string>(content ? content->head : "") : store->readHead(each.body);
                auto message = head ? decodeHead(*head) : std::nullopt;
                if (!message) continue;
                if (query.bodies && content) message->body = std::move(content->body);
                each.shown.message = std::make_shared<const Message>(std::move(*message));
            }
            if (selector->matches(MessageProperties(*each.shown.message))) found.push_back(std::move(each.shown));
        }
    }
    return found;
}

}  // namespace postbus::queues
