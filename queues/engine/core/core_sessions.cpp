#include <algorithm>
#include <random>

#include "queues/engine/core/core.hpp"

namespace postbus::queues {
namespace {

std::string unguessable() {
    std::random_device source;
    std::string text;
    for (int i = 0; i < 4; ++i) {
        char digits[9];
        std::snprintf(digits, sizeof digits, "%08x", source());
        text += digits;
    }
    return text;
}

}  // namespace

SessionId Core::connect(std::string_view clientId) {
    Locked locked(*this);
    const SessionId id = nextId_++;
    sessions_[id].clientId = clientId;
    return id;
}

void Core::disconnect(SessionId session) {
    Locked locked(*this);
    const auto found = sessions_.find(session);
    if (found == sessions_.end() || stopping_) return;
    const SessionState state = found->second;
    for (const TransactionId each : state.transactions) {
        rollBack(transactions_[each]);
        transactions_.erase(each);
    }
    for (const ConsumerId each : state.consumers) closeConsumer(ConsumerPtr(consumers_[each]));
    for (const std::string& each : state.temporary)
        if (Queue* queue = find(each)) retire(*queue);
    sessions_.erase(session);
}

Result<ConsumerId> Core::consume(SessionId session, std::string_view name, const ConsumerOptions& options,
                                 Handler handler) {
    Locked locked(*this);
    if (auto able = usable(); !able) return std::move(able).error();
    auto queue = findOrCreate(name);
    if (!queue) return std::move(queue).error();
    if ((*queue)->owner != 0 && (*queue)->owner != session)
        return Error(Error::Kind::Forbidden, "a temporary queue is consumed by the one who made it");
    return addConsumer(session, **queue, options, std::move(handler));
}

Result<ConsumerId> Core::addConsumer(SessionId session, Queue& queue, const ConsumerOptions& options, Handler handler) {
    auto selector = Selector::compile(options.selector);
    if (!selector) return std::move(selector).error();
    const auto owner = sessions_.find(session);
    if (owner == sessions_.end()) return Error(Error::Kind::NotFound, "the session has ended");
    auto consumer = std::make_shared<Consumer>();
    consumer->id = nextId_++;
    consumer->session = session;
    consumer->queue = &queue;
    consumer->selector = std::move(*selector);
    consumer->options = options;
    consumer->handler = std::move(handler);
    const auto at = std::find_if(queue.consumers.begin(), queue.consumers.end(),
                                 [&](const ConsumerPtr& each) { return each->options.priority < options.priority; });
    queue.consumers.insert(at, consumer);
    consumers_[consumer->id] = consumer;
    owner->second.consumers.insert(consumer->id);
    touch(queue);
    return consumer->id;
}

void Core::addCredit(SessionId session, ConsumerId id, std::uint32_t messages) {
    Locked locked(*this);
    Consumer* consumer = find(session, id);
    if (!consumer) return;
    consumer->credit += messages;
    touch(*consumer->queue);
}

std::uint32_t Core::credit(SessionId session, ConsumerId id) {
    const std::lock_guard lock(mutex_);
    const Consumer* consumer = find(session, id);
    return consumer ? consumer->credit : 0;
}

void Core::cancel(SessionId session, ConsumerId id, bool atWork) {
    Locked locked(*this);
    if (stopping_ || !find(session, id)) return;
    closeConsumer(ConsumerPtr(consumers_[id]), atWork);
}

void Core::closeConsumer(const ConsumerPtr& consumer, bool atWork) {
    Queue& queue = *consumer->queue;
    consumer->closed = true;
    std::erase(queue.consumers, consumer);
    consumers_.erase(consumer->id);
    if (const auto owner = sessions_.find(consumer->session); owner != sessions_.end())
        owner->second.consumers.erase(consumer->id);
    for (auto at = queue.groups.begin(); at != queue.groups.end();) {
        if (at->second.owner == consumer.get()) at->second.owner = nullptr;
        at = !at->second.owner && at->second.messages == 0 ? queue.groups.erase(at) : std::next(at);
    }
    // The youngest first: each goes back before the one after it.
    std::vector<Entry*> lined;
    for (const Consumer::Lined& each : consumer->line)
        if (!each.waits) lined.push_back(each.entry);
    std::erase_if(consumer->line, [](const Consumer::Lined& each) { return !each.waits; });
    for (auto at = lined.rbegin(); at != lined.rend(); ++at) release(**at);
    std::vector<Entry*> delivered;
    for (auto& [tag, entry] : consumer->delivered) delivered.push_back(entry);
    consumer->delivered.clear();
    while (delivered.size() > (atWork ? 1u : 0u)) {
        release(*delivered.back());
        delivered.pop_back();
    }
    if (!delivered.empty()) failAttempt(*delivered.front(), "its consumer went away", false);
    resetCursors(queue);
    const bool fleeting = queue.subscription() && !queue.record.subscription.durable;
    if (fleeting && !queue.gone && queue.consumers.empty()) retire(queue);
}

Result<std::string> Core::temporaryQueue(SessionId session) {
    Locked locked(*this);
    if (auto able = usable(); !able) return std::move(able).error();
    const auto owner = sessions_.find(session);
    if (owner == sessions_.end()) return Error(Error::Kind::NotFound, "the session has ended");
    QueueRecord record;
    record.settings = settings_.defaults;
    Queue& queue = addQueue("temp." + unguessable(), std::move(record));
    queue.owner = session;
    owner->second.temporary.push_back(queue.name);
    return queue.name;
}

}  // namespace postbus::queues
