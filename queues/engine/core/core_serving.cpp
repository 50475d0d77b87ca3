#include "queues/engine/core/core.hpp"
#include "queues/engine/core/message_properties.hpp"

namespace postbus::queues {
namespace {

constexpr std::size_t kHandouts = 256;   ///< between two looks at the timers
constexpr std::size_t kExamined = 2000;  ///< messages that selectors may look at without letting others in
constexpr std::size_t kWanted = 64;      ///< heads that are read at once
constexpr std::size_t kHeads = 4096;

}  // namespace

bool Core::step() {
    std::vector<Handout> handouts;
    std::vector<BodyId> wanted;
    {
        Locked locked(*this);
        if (stopping_) return false;
        runTimers();
        serveDirty();
        sweepRetired();
        handouts.swap(handouts_);
        wanted.swap(wanted_);
    }
    loadHeads(wanted);
    for (Handout& each : handouts) deliver(each);
    return !handouts.empty() || !wanted.empty();
}

void Core::serveDirty() {
    examined_ = 0;
    std::vector<Queue*> again;
    while (!dirty_.empty()) {
        std::vector<Queue*> now;
        now.swap(dirty_);
        for (Queue* each : now) {
            each->dirty = false;
            if (!serve(*each)) again.push_back(each);
        }
        if (handouts_.size() >= kHandouts || examined_ >= kExamined) break;
    }
    for (Queue* each : again) touch(*each);
}

/// False when it should be served again soon.
bool Core::serve(Queue& queue) {
    if (queue.gone || queue.record.pausedOut || queue.readyCount == 0 || queue.consumers.empty()) return true;
    if (!queue.transient() && store_->state() == QueueStore::State::Failed) return true;
    std::size_t idle = 0;  // consumers in a row that took nothing
    const std::size_t count = queue.settings().exclusive ? 1 : queue.consumers.size();
    while (idle < count && queue.readyCount != 0) {
        if (handouts_.size() >= kHandouts || examined_ >= kExamined) return false;
        const ConsumerPtr consumer = queue.consumers[queue.settings().exclusive ? 0 : queue.turn++ % count];
        Entry* entry = consumer->ready() ? pick(queue, *consumer) : nullptr;
        if (!entry) {
            ++idle;
            continue;
        }
        idle = 0;
        hand(consumer, *entry);
    }
    return examined_ < kExamined;
}

Entry* Core::pick(Queue& queue, Consumer& consumer) {
    for (int level = 9; level >= 0; --level) {
        auto& ready = queue.ready[static_cast<std::size_t>(level)];
        MessageId& cursor = consumer.cursor[static_cast<std::size_t>(level)];
        for (auto at = ready.upper_bound(cursor); at != ready.end();) {
            Entry& entry = **at++;
            if (exhausted(entry)) {
                setAside(entry, "not acknowledged in " + std::to_string(entry.deliveries) + " deliveries");
                continue;
            }
            if (entry.group && entry.group->owner && entry.group->owner != &consumer) {
                cursor = entry.id;
                continue;
            }
            if (consumer.selector.selectsAll()) return &entry;
            const Message* head = headOf(entry);
            if (!head) {
                want(queue, consumer, level, &entry);
                return nullptr;
            }
            if (consumer.selector.matches(MessageProperties(*head))) return &entry;
            cursor = entry.id;
            if (++examined_ >= kExamined) return nullptr;
        }
    }
    return nullptr;
}

const Message* Core::headOf(const Entry& entry) {
    if (entry.message) return entry.message.get();
    const auto found = heads_.find(entry.body);
    return found == heads_.end() ? nullptr : found->second.get();
}

void Core::want(const Queue& queue, const Consumer&, int level, Entry* first) {
    const auto& ready = queue.ready[static_cast<std::size_t>(level)];
    std::size_t count = 0;
    for (auto at = ready.find(first); at != ready.end() && count < kWanted; ++at, ++count)
        if (!(*at)->message) wanted_.push_back((*at)->body);
    examined_ += count;
}

void Core::loadHeads(const std::vector<BodyId>& bodies) {
    if (bodies.empty()) return;
    std::vector<std::pair<BodyId, std::shared_ptr<const Message>>> loaded;
    for (const BodyId each : bodies) {
        auto head = store_->readHead(each);
        auto message = head ? decodeHead(*head) : std::nullopt;
        // One that can't be read matches no selector; whoever takes it without one learns why.
        loaded.emplace_back(each, std::make_shared<const Message>(message ? std::move(*message) : Message()));
    }
    Locked locked(*this);
    if (heads_.size() > kHeads) heads_.clear();
    for (auto& [body, message] : loaded) heads_[body] = std::move(message);
    for (auto& [name, queue] : queues_)
        if (queue->readyCount != 0) touch(*queue);
}

bool Core::exhausted(const Entry& entry) const {
    const std::uint32_t most = entry.queue->settings().maxDeliveries;
    return most != 0 && entry.deliveries >= most && !entry.note;
}

void Core::hand(const ConsumerPtr& consumer, Entry& entry) {
    withdraw(entry);
    entry.state = Entry::State::Counting;
    entry.holder = consumer;
    ++entry.deliveries;
    if (!consumer->options.prefetch) --consumer->credit;
    bool first = false;
    if (entry.group) {
        first = entry.group->owner == nullptr;
        entry.group->owner = entry.closesGroup ? nullptr : consumer.get();
        if (entry.closesGroup) resetCursors(*entry.queue);
    }
    const bool waits = entry.durable() && entry.deliveries > entry.stored && (entry.deliveries > 1 || entry.suspect);
    consumer->line.push_back({&entry, first, waits});
    if (waits) {
        Batch batch;
        batch.changeMessages.push_back(changeOf(entry));
        commitOrRun(std::move(batch),
                    [this, consumer, &entry](const Result<void>& result) { counted(consumer, entry, result); });
    } else {
        flushLine(consumer);
    }
}

void Core::counted(const ConsumerPtr& consumer, Entry& entry, const Result<void>& result) {
    if (result) entry.stored = entry.deliveries;
    const auto lined = std::find_if(consumer->line.begin(), consumer->line.end(),
                                    [&](const Consumer::Lined& each) { return each.entry == &entry; });
    lined->waits = false;
    if (!result || consumer->closed) {
        consumer->line.erase(lined);
        --entry.deliveries;
        if (!consumer->options.prefetch) ++consumer->credit;
        // Without room even for the count it is not delivered; a while later there may be some.
        if (result)
            makeReady(entry);
        else
            postpone(entry, now() + std::chrono::seconds(1));
    }
    flushLine(consumer);
}

void Core::flushLine(const ConsumerPtr& consumer) {
    while (!consumer->closed && !consumer->line.empty() && !consumer->line.front().waits) {
        const Consumer::Lined first = consumer->line.front();
        consumer->line.pop_front();
        handOut(consumer, *first.entry, first.firstOfGroup);
    }
}

void Core::handOut(const ConsumerPtr& consumer, Entry& entry, bool firstOfGroup) {
    entry.state = Entry::State::Delivered;
    entry.tag = ++consumer->last;
    consumer->delivered.emplace_hint(consumer->delivered.end(), entry.tag, &entry);
    Handout& out = handouts_.emplace_back();
    out.consumer = consumer;
    out.body = entry.body;
    out.delivery.consumer = consumer->id;
    out.delivery.tag = entry.tag;
    out.delivery.queue = entry.queue->name;
    out.delivery.message = entry.message;
    out.delivery.count = entry.deliveries;
    out.delivery.redelivered = entry.deliveries > 1 || entry.suspect || entry.seen;
    out.delivery.firstOfGroup = firstOfGroup;
    if (entry.note) out.delivery.deadLetter = *entry.note;
    if (out.delivery.redelivered) ++entry.queue->counters.redelivered;
    entry.seen = true;
    wake_ = true;
}

void Core::resetCursors(Queue& queue) {
    for (const ConsumerPtr& each : queue.consumers) each->cursor = {};
    touch(queue);
}

void Core::deliver(Handout& handout) {
    Delivery& delivery = handout.delivery;
    Consumer& consumer = *handout.consumer;
    if (consumer.closed) return;
    if (!delivery.message) {
        auto content = store_->read(handout.body);
        auto message = content ? decodeHead(content->head) : std::nullopt;
        if (!message) {
            const std::string why = content ? "its head can't be read" : content.error().message();
            static_cast<void>(giveBack(consumer.session, consumer.id, delivery.tag, Return::Fail, why));
            return;
        }
        message->body = std::move(content->body);
        delivery.message = std::make_shared<const Message>(std::move(*message));
    }
    const Tag tag = delivery.tag;
    consumer.handler(std::move(delivery));
    if (consumer.options.automatic)
        acknowledge(consumer.session, consumer.id, tag, Reach::One, [](const Result<void>&) {});
}

}  // namespace postbus::queues
