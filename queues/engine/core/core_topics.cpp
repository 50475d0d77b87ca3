#include <algorithm>

#include "queues/engine/core/core.hpp"
#include "queues/engine/core/message_properties.hpp"

namespace postbus::queues {

void Core::publish(SessionId session, std::string_view topic, Message message, Done done) {
    Locked locked(*this);
    if (auto sent = publishLocked(session, topic, message, done); !sent)
        after_.push_back([done = std::move(done), error = std::move(sent).error()] { done(error); });
}

Result<void> Core::publishLocked(SessionId session, std::string_view name, Message& message, Done& done) {
    if (auto able = usable(); !able) return able;
    auto topic = findOrCreateTopic(name);
    if (!topic) return std::move(topic).error();
    const auto publisher = sessions_.find(session);
    stamp(message);
    std::vector<Queue*> takers;
    for (Queue* each :
         subscribersOf(**topic, message, publisher == sessions_.end() ? "" : publisher->second.clientId)) {
        auto admission = admit(*each, message, false);
        if (admission && *admission == Admission::Taken) {
            takers.push_back(each);
        } else if (!admission && !each->transient()) {
            return std::move(admission).error().in("a subscription");
        } else if (!admission) {
            // One slow listener that keeps nothing must not stop a publisher.
            ++each->counters.dropped;
        }
    }
    auto sending = std::make_shared<Sending>();
    sending->done = std::move(done);
    Batch batch;
    if (!takers.empty()) spread(takers, std::move(message), *sending, batch);
    submit(std::move(batch), std::move(sending));
    return ok();
}

std::vector<Queue*> Core::subscribersOf(Topic& topic, const Message& message, const std::string& clientId) {
    std::vector<Queue*> takers;
    const MessageProperties properties(message);
    for (Queue* each : topic.subscriptions) {
        if (each->record.subscription.noLocal && !clientId.empty() && each->record.clientId == clientId) continue;
        if (each->selector.matches(properties)) takers.push_back(each);
    }
    return takers;
}

Result<ConsumerId> Core::subscribe(SessionId session, std::string_view topic, const SubscriptionOptions& subscription,
                                   const ConsumerOptions& options, Handler handler,
                                   const std::optional<QueueSettings>& settings) {
    Locked locked(*this);
    if (auto able = usable(); !able) return std::move(able).error();
    if (settings)
        if (auto good = checkSettings(*settings); !good) return std::move(good).error();
    auto queue = subscriptionFor(session, topic, subscription);
    if (!queue) return std::move(queue).error();
    if (settings) set(**queue, *settings);
    return addConsumer(session, **queue, options, std::move(handler));
}

Result<Queue*> Core::subscriptionFor(SessionId session, std::string_view topicName, const SubscriptionOptions& wanted) {
    const auto owner = sessions_.find(session);
    if (owner == sessions_.end()) return Error(Error::Kind::NotFound, "the session has ended");
    if (wanted.name.empty() && (wanted.durable || wanted.shared))
        return Error::invalid("a durable or shared subscription needs a name");
    if (wanted.noLocal && wanted.shared) return Error::invalid("a shared subscription can't leave out its own client");
    auto selector = Selector::compile(wanted.selector);
    if (!selector) return std::move(selector).error();
    auto topic = findOrCreateTopic(topicName);
    if (!topic) return std::move(topic).error();

    const std::string clientId = wanted.shared && !wanted.durable ? std::string() : owner->second.clientId;
    for (const auto& [name, queue] : queues_) {
        const SubscriptionOptions& there = queue->record.subscription;
        if (!queue->subscription() || wanted.name.empty() || there.name != wanted.name ||
            there.durable != wanted.durable || there.shared != wanted.shared || queue->record.clientId != clientId)
            continue;
        if (queue->record.topicName != topicName || there.selector != wanted.selector ||
            there.noLocal != wanted.noLocal)
            return Error::invalid("subscription '" + wanted.name +
                                  "' has another topic or selector; take another name, or remove it with what it "
                                  "holds: postbus queue remove '" +
                                  queue->name + "'");
        if (!wanted.shared && !queue->consumers.empty())
            return Error(Error::Kind::Unavailable, "subscription '" + wanted.name + "' has its consumer already");
        return queue.get();
    }
    QueueRecord record;
    record.settings = settings_.defaults;
    record.topicName = topicName;
    record.clientId = clientId;
    record.subscription = wanted;
    const std::string unique = wanted.name.empty() ? "#" + std::to_string(nextId_++) : wanted.name;
    const char* kind =
        wanted.durable ? (wanted.shared ? "/shared-durable/" : "/durable/") : (wanted.shared ? "/shared/" : "/");
    Queue& queue = addQueue("topic/" + std::string(topicName) + kind + clientId + "/" + unique, std::move(record));
    queue.selector = std::move(*selector);
    store(queue);
    return &queue;
}

Result<void> Core::unsubscribe(SessionId session, std::string_view name, bool shared) {
    Locked locked(*this);
    if (auto able = usable(); !able) return able;
    const std::string clientId = sessions_[session].clientId;
    for (const auto& [full, queue] : queues_) {
        const SubscriptionOptions& there = queue->record.subscription;
        if (!queue->subscription() || !there.durable || there.shared != shared || there.name != name ||
            queue->record.clientId != clientId)
            continue;
        if (!queue->consumers.empty())
            return Error(Error::Kind::Unavailable, "subscription '" + std::string(name) + "' has a consumer");
        retire(*queue);
        return ok();
    }
    return Error(Error::Kind::NotFound, "no durable subscription '" + std::string(name) + "'");
}

}  // namespace postbus::queues
