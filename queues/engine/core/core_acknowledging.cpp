#include <algorithm>

#include "queues/engine/core/core.hpp"

namespace postbus::queues {
namespace {

Error notHere(Tag tag) {
    return {Error::Kind::NotFound, "delivery " + std::to_string(tag) + " is not, or no longer, this consumer's"};
}

}  // namespace

Consumer* Core::find(SessionId session, ConsumerId id) {
    const auto found = consumers_.find(id);
    return found != consumers_.end() && found->second->session == session ? found->second.get() : nullptr;
}

Result<Entry*> Core::takeDelivered(SessionId session, ConsumerId id, Tag tag) {
    if (auto able = usable(); !able) return std::move(able).error();
    Consumer* consumer = find(session, id);
    if (!consumer) return notHere(tag);
    const auto found = consumer->delivered.find(tag);
    if (found == consumer->delivered.end()) return notHere(tag);
    Entry* entry = found->second;
    consumer->delivered.erase(found);
    touch(*consumer->queue);
    return entry;
}

void Core::acknowledge(SessionId session, ConsumerId id, Tag tag, Reach reach, Done done) {
    Locked locked(*this);
    std::vector<Entry*> entries;
    auto last = takeDelivered(session, id, tag);
    if (!last) {
        after_.push_back([done = std::move(done), error = std::move(last).error()] { done(error); });
        return;
    }
    if (reach == Reach::UpTo) {
        auto& delivered = find(session, id)->delivered;
        const auto end = delivered.lower_bound(tag);
        for (auto at = delivered.begin(); at != end; at = delivered.erase(at)) entries.push_back(at->second);
    }
    entries.push_back(*last);
    acknowledge(std::move(entries), std::move(done));
}

void Core::acknowledgeAll(SessionId session, Done done) {
    Locked locked(*this);
    if (auto able = usable(); !able) {
        after_.push_back([done = std::move(done), error = std::move(able).error()] { done(error); });
        return;
    }
    std::vector<Entry*> entries;
    for (const ConsumerId each : sessions_[session].consumers) {
        Consumer& consumer = *consumers_[each];
        for (auto& [tag, entry] : consumer.delivered) entries.push_back(entry);
        consumer.delivered.clear();
        touch(*consumer.queue);
    }
    acknowledge(std::move(entries), std::move(done));
}

void Core::acknowledge(std::vector<Entry*> entries, Done done) {
    Batch batch;
    for (Entry* each : entries) {
        each->state = Entry::State::Leaving;
        dropRow(batch, *each);
    }
    commitOrRun(std::move(batch),
                [this, entries = std::move(entries), done = std::move(done)](const Result<void>& result) {
                    for (Entry* each : entries) {
                        if (result) {
                            ++each->queue->counters.acknowledged;
                            erase(*each);
                        } else {
                            restore(*each);
                        }
                    }
                    if (done) after_.push_back([done, result] { done(result); });
                });
}

/// An acknowledgement could not be stored: the consumer holds the message still.
void Core::restore(Entry& entry) {
    if (!entry.holder || entry.holder->closed) return makeReady(entry);
    entry.state = Entry::State::Delivered;
    entry.holder->delivered.emplace(entry.tag, &entry);
}

Result<void> Core::giveBack(SessionId session, ConsumerId consumer, Tag tag, Return how, std::string_view reason) {
    Locked locked(*this);
    auto entry = takeDelivered(session, consumer, tag);
    if (!entry) return std::move(entry).error();
    switch (how) {
        case Return::Release:
            release(**entry);
            break;
        case Return::Fail:
            failAttempt(**entry, reason, true);
            break;
        case Return::SetAside:
            setAside(**entry, reason);
            break;
    }
    return ok();
}

void Core::release(Entry& entry) {
    --entry.deliveries;
    makeReady(entry);
}

void Core::failAttempt(Entry& entry, std::string_view reason, bool backOff) {
    if (exhausted(entry)) return setAside(entry, reason);
    const milliseconds pause = backOff ? backOffOf(entry) : milliseconds(0);
    if (pause.count() > 0)
        postpone(entry, now() + pause);
    else
        makeReady(entry);
}

milliseconds Core::backOffOf(const Entry& entry) const {
    const QueueSettings& settings = entry.queue->settings();
    auto pause = static_cast<double>(settings.redeliveryDelay.count());
    const auto most = static_cast<double>(settings.maxRedeliveryDelay.count());
    for (std::uint32_t i = 1; i < entry.deliveries && pause < most; ++i) pause *= settings.redeliveryMultiplier;
    return milliseconds(static_cast<std::int64_t>(std::min(pause, most)));
}

}  // namespace postbus::queues
