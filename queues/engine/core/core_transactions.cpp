#include <algorithm>

#include "queues/engine/core/core.hpp"

namespace postbus::queues {
namespace {

Error unknown() { return {Error::Kind::NotFound, "no such transaction in this session"}; }

}  // namespace

TransactionId Core::begin(SessionId session) {
    Locked locked(*this);
    const TransactionId id = nextId_++;
    const auto owner = sessions_.find(session);
    if (owner == sessions_.end()) return id;
    owner->second.transactions.insert(id);
    transactions_[id].session = session;
    return id;
}

Result<void> Core::enlist(SessionId session, TransactionId id, Outgoing outgoing) {
    Locked locked(*this);
    if (auto able = usable(); !able) return able;
    const auto found = transactions_.find(id);
    if (found == transactions_.end() || found->second.session != session) return unknown();
    if (!outgoing.topic) {
        // What is refused anyway is refused now; at the commit it is asked again.
        auto queue = findOrCreate(outgoing.name);
        if (!queue) return std::move(queue).error();
        auto admission = admit(**queue, outgoing.message, false);
        if (!admission) return std::move(admission).error();
        if (*admission == Admission::Dropped) return ok();
    }
    found->second.sends.push_back(std::move(outgoing));
    return ok();
}

Result<void> Core::enlist(SessionId session, TransactionId id, ConsumerId consumer, Tag tag) {
    Locked locked(*this);
    const auto found = transactions_.find(id);
    if (found == transactions_.end() || found->second.session != session) return unknown();
    auto entry = takeDelivered(session, consumer, tag);
    if (!entry) return std::move(entry).error();
    (*entry)->state = Entry::State::Enlisted;
    found->second.acknowledged.push_back(*entry);
    return ok();
}

void Core::commit(SessionId session, TransactionId id, Done done) {
    Locked locked(*this);
    const auto found = transactions_.find(id);
    if (stopping_ || found == transactions_.end() || found->second.session != session) {
        after_.push_back([done = std::move(done)] { done(unknown()); });
        return;
    }
    Transaction transaction = std::move(found->second);
    transactions_.erase(found);
    sessions_[session].transactions.erase(id);

    auto sending = std::make_shared<Sending>();
    sending->done = std::move(done);
    sending->acknowledged = transaction.acknowledged;
    Batch batch;
    if (auto prepared = prepare(transaction, *sending, batch); !prepared) {
        conclude(*sending, prepared);
        return;
    }
    for (Entry* each : transaction.acknowledged) {
        each->state = Entry::State::Leaving;
        dropRow(batch, *each);
    }
    submit(std::move(batch), std::move(sending));
}

Result<void> Core::prepare(Transaction& transaction, Sending& sending, Batch& batch) {
    for (Outgoing& each : transaction.sends) {
        if (each.topic) {
            auto topic = findOrCreateTopic(each.name);
            if (!topic) return std::move(topic).error();
            stamp(each.message);
            std::vector<Queue*> takers;
            for (Queue* taker : subscribersOf(**topic, each.message, sessions_[transaction.session].clientId)) {
                auto admission = admit(*taker, each.message, false);
                if (admission && *admission == Admission::Taken) takers.push_back(taker);
                if (!admission && !taker->transient()) return std::move(admission).error().in("a subscription");
                if (!admission) ++taker->counters.dropped;
            }
            if (!takers.empty()) spread(takers, std::move(each.message), sending, batch);
            continue;
        }
        auto queue = findOrCreate(each.name);
        if (!queue) return std::move(queue).error();
        auto admission = admit(**queue, each.message, false);
        if (!admission) return std::move(admission).error();
        // A duplicate is taken and dropped; whether the first one is stored by now is its sender's affair.
        Done nobody = [](const Result<void>&) {};
        if (*admission == Admission::Dropped || duplicate(**queue, each.message, sending, batch, nobody)) continue;
        accept(**queue, std::move(each.message), sending, batch);
    }
    return ok();
}

Result<void> Core::rollBack(SessionId session, TransactionId id) {
    Locked locked(*this);
    if (auto able = usable(); !able) return able;
    const auto found = transactions_.find(id);
    if (found == transactions_.end() || found->second.session != session) return unknown();
    rollBack(found->second);
    transactions_.erase(found);
    sessions_[session].transactions.erase(id);
    return ok();
}

void Core::rollBack(Transaction& transaction) {
    std::sort(transaction.acknowledged.begin(), transaction.acknowledged.end(), Elder());
    for (auto at = transaction.acknowledged.rbegin(); at != transaction.acknowledged.rend(); ++at)
        failAttempt(**at, "its transaction was rolled back", true);
}

}  // namespace postbus::queues
