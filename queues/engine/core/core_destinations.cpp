#include <algorithm>

#include "base/utf8.hpp"
#include "queues/engine/core/core.hpp"

namespace postbus::queues {
namespace {

constexpr std::size_t kDropped = 500;  ///< messages of a removed queue that one batch drops

Result<void> checkName(std::string_view name, const char* what) {
    bool fits = !name.empty() && name.size() <= 255;
    for (std::size_t i = 0; fits && i < name.size();) {
        const std::size_t length = utf8Sequence(name.substr(i));
        fits = length != 0 && static_cast<unsigned char>(name[i]) >= 0x20 && name[i] != 0x7f;
        i += length;
    }
    if (!fits) return Error::invalid(std::string(what) + " needs a name of 1 to 255 bytes of UTF-8 without controls");
    return ok();
}

}  // namespace

Result<void> Core::usable() const {
    if (stopping_) return Error(Error::Kind::Unavailable, "the queues are stopped");
    return ok();
}

Queue* Core::find(std::string_view name) const {
    const auto found = queues_.find(name);
    return found == queues_.end() ? nullptr : found->second.get();
}

Result<Queue*> Core::findOrCreate(std::string_view name) {
    if (Queue* queue = find(name)) return queue;
    if (!settings_.autoCreate || name.starts_with("topic/") || name.starts_with("temp."))
        return Error(Error::Kind::NotFound, "no queue '" + std::string(name) + "'");
    if (auto good = checkName(name, "a queue"); !good) return std::move(good).error();
    QueueRecord record;
    record.settings = settings_.defaults;
    if (name.starts_with("DLQ.")) record.settings.maxDeliveries = 0;
    return &addQueue(name, std::move(record));
}

Queue& Core::addQueue(std::string_view name, QueueRecord record, QueueId id) {
    auto queue = std::make_shared<Queue>();
    queue->id = id ? id : nextQueue_++;
    queue->name = name;
    queue->record = std::move(record);
    byId_[queue->id] = queue.get();
    if (queue->subscription()) topics_[queue->record.topicName].subscriptions.push_back(queue.get());
    return *(queues_[queue->name] = std::move(queue));
}

Queue& Core::deadLettersOf(const Queue& queue) {
    const std::string& named = queue.settings().deadLetter;
    const std::string name = named.empty() ? "DLQ." + queue.name : named;
    if (Queue* found = find(name)) return *found;
    QueueRecord record;
    record.settings = settings_.defaults;
    record.settings.maxDeliveries = 0;
    return addQueue(name, std::move(record));
}

void Core::store(Queue& queue) {
    if (queue.stored || queue.transient() || queue.gone || stopping_) return;
    queue.stored = true;
    storeRecord(queue.id, queue.name, queue.record);
}

void Core::storeRecord(QueueId id, std::string name, const QueueRecord& record) {
    Batch batch;
    batch.putQueues.push_back({id, std::move(name), encode(record)});
    commitOrRun(std::move(batch), [this, id](const Result<void>& result) {
        // The next message tries again.
        if (const auto found = byId_.find(id); !result && found != byId_.end()) found->second->stored = false;
    });
}

Result<Topic*> Core::findOrCreateTopic(std::string_view name) {
    const auto found = topics_.find(name);
    if (found != topics_.end()) return &found->second;
    if (!settings_.autoCreate) return Error(Error::Kind::NotFound, "no topic '" + std::string(name) + "'");
    if (auto good = checkName(name, "a topic"); !good) return std::move(good).error();
    return &topics_[std::string(name)];
}

Result<void> Core::declareQueue(std::string_view name, const QueueSettings& settings) {
    Locked locked(*this);
    if (auto able = usable(); !able) return able;
    if (auto good = checkName(name, "a queue"); !good) return good;
    if (name.starts_with("topic/") || name.starts_with("temp."))
        return Error::invalid("names of queues don't begin with topic/ or temp.");
    if (auto good = checkSettings(settings); !good) return good;
    Queue* queue = find(name);
    if (!queue) queue = &addQueue(name, QueueRecord{});
    set(*queue, settings);
    return ok();
}

Result<void> Core::checkSettings(const QueueSettings& settings) {
    if (settings.redeliveryMultiplier == 0) return Error::invalid("redelivery-multiplier is at least 1");
    return ok();
}

void Core::set(Queue& queue, const QueueSettings& settings) {
    if (queue.stored && queue.record.settings == settings) return;
    queue.record.settings = settings;
    queue.stored = false;
    store(queue);
    unpark(queue);
    touch(queue);
}

Result<void> Core::declareTopic(std::string_view name) {
    Locked locked(*this);
    if (auto able = usable(); !able) return able;
    if (auto good = checkName(name, "a topic"); !good) return good;
    Topic& topic = topics_[std::string(name)];
    if (topic.stored) return ok();
    topic.stored = true;
    topic.id = nextQueue_++;
    QueueRecord record;
    record.topic = true;
    storeRecord(topic.id, "topic/" + std::string(name), record);
    return ok();
}

Result<void> Core::pause(std::string_view name, bool in, bool out) {
    Locked locked(*this);
    if (auto able = usable(); !able) return able;
    Queue* queue = find(name);
    if (!queue) return Error(Error::Kind::NotFound, "no queue '" + std::string(name) + "'");
    queue->record.pausedIn = in;
    queue->record.pausedOut = out;
    queue->stored = false;
    store(*queue);
    touch(*queue);
    return ok();
}

void Core::remove(std::string_view name, Done done) {
    Locked locked(*this);
    Result<void> result = usable();
    Queue* queue = find(name);
    const auto topic = topics_.find(name);
    if (result && queue && !queue->consumers.empty())
        result = Error(Error::Kind::Unavailable, "'" + std::string(name) + "' has consumers");
    if (result && !queue && topic != topics_.end() && !topic->second.subscriptions.empty())
        result = Error(Error::Kind::Unavailable, "'" + std::string(name) + "' has subscriptions");
    if (result && !queue && topic == topics_.end())
        result = Error(Error::Kind::NotFound, "no queue or topic '" + std::string(name) + "'");
    Batch batch;
    if (result && queue) {
        if (!queue->transient()) batch.dropQueues.push_back(queue->id);
        retire(*queue);
    } else if (result) {
        if (topic->second.id) batch.dropQueues.push_back(topic->second.id);
        topics_.erase(topic);
    } else {
        after_.push_back([done = std::move(done), result] { done(result); });
        return;
    }
    commitOrRun(std::move(batch), [this, done = std::move(done)](const Result<void>& dropped) {
        after_.push_back([done, dropped] { done(dropped); });
    });
}

/// Takes the queue away from its users at once; it ends with the last of its messages that the store is busy with.
void Core::retire(Queue& queue) {
    queue.gone = true;
    const auto found = queues_.find(queue.name);
    retired_.push_back(std::move(found->second));
    queues_.erase(found);
    byId_.erase(queue.id);
    if (queue.subscription()) std::erase(topics_[queue.record.topicName].subscriptions, &queue);
    while (!queue.consumers.empty()) closeConsumer(ConsumerPtr(queue.consumers.back()));
    unpark(queue);

    std::vector<Entry*> all;
    for (auto& [id, entry] : queue.entries)
        if (entry->state == Entry::State::Ready || entry->state == Entry::State::Scheduled) all.push_back(entry.get());
    for (std::size_t at = 0; at < all.size(); at += kDropped) {
        std::vector<Entry*> some(all.begin() + static_cast<std::ptrdiff_t>(at),
                                 all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), at + kDropped)));
        Batch batch;
        for (Entry* each : some) {
            withdraw(*each);
            each->state = Entry::State::Leaving;
            dropRow(batch, *each);
        }
        commitOrRun(std::move(batch), [this, some](const Result<void>&) {
            for (Entry* each : some) erase(*each);
        });
    }
    if (queue.subscription() && !queue.transient()) {
        Batch batch;
        batch.dropQueues.push_back(queue.id);
        commitOrRun(std::move(batch), [](const Result<void>&) {});
    }
    wake_ = true;
}

void Core::sweepRetired() {
    std::erase_if(retired_,
                  [](const QueuePtr& each) { return each->entries.empty() && each->pending == 0 && !each->dirty; });
}

}  // namespace postbus::queues
