#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "queues/engine/message.hpp"
#include "queues/engine/settings.hpp"

namespace postbus::queues {

class Core;

/// With success once it is durable; see Engine.
using Done = std::function<void(Result<void>)>;

/// What one client holds of an engine: consumers, transactions, temporary queues. All of it ends with the session:
/// transactions are rolled back, deliveries that were not acknowledged go back, temporary queues vanish.
///
/// Thread-safe. Outlives the engine harmlessly: every call is refused then.
class Session {
public:
    Session(std::shared_ptr<Core> core, std::uint64_t id) : core_(std::move(core)), id_(id) {}
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Result<ConsumerId> consume(std::string_view queue, const ConsumerOptions& options, Handler handler);
    /// An Error when the durable subscription has another topic or selector (unsubscribe() first), or has its one
    /// consumer already.
    /// With `settings` the subscription has these from now on, as declareQueue() does it; without, it keeps what it
    /// has.
    Result<ConsumerId> subscribe(std::string_view topic, const SubscriptionOptions& subscription,
                                 const ConsumerOptions& options, Handler handler,
                                 const std::optional<QueueSettings>& settings = std::nullopt);
    /// An Error while it has a consumer.
    Result<void> unsubscribe(std::string_view name, bool shared = false);
    void addCredit(ConsumerId consumer, std::uint32_t messages);
    /// What is left of it: what was taken off has been delivered or is on its way, from the disk perhaps.
    std::uint32_t credit(ConsumerId consumer) const;
    /// What it has not acknowledged goes back to the head of the queue, marked as redelivered. An attempt is counted
    /// for the eldest alone: it was at work on that one.
    void cancel(ConsumerId consumer);
    /// The same for one that was at work on nothing: no attempt is counted.
    void leave(ConsumerId consumer);

    /// A temporary queue of this session: only it may consume, anyone may send, nothing is stored. Its name can't be
    /// guessed.
    Result<std::string> temporaryQueue();

    /// One delivery; all of the consumer's up to it; all of the session's.
    void acknowledge(ConsumerId consumer, Tag tag, Done done);
    void acknowledgeUpTo(ConsumerId consumer, Tag tag, Done done);
    void acknowledgeAll(Done done);
    /// Back at once, no attempt counted.
    Result<void> release(ConsumerId consumer, Tag tag);
    /// A failed attempt: again after the back-off, or to the dead letter queue after the last.
    Result<void> fail(ConsumerId consumer, Tag tag, std::string_view reason);
    /// To the dead letter queue at once.
    Result<void> setAside(ConsumerId consumer, Tag tag, std::string_view reason);

    /// What is sent and acknowledged in a transaction happens at its commit, all or nothing, over all queues. Rolled
    /// back, its acknowledgements become failed attempts. A commit that fails rolls back.
    TransactionId begin();
    Result<void> send(TransactionId transaction, std::string_view queue, Message message);
    Result<void> publish(TransactionId transaction, std::string_view topic, Message message);
    Result<void> acknowledge(TransactionId transaction, ConsumerId consumer, Tag tag);
    void commit(TransactionId transaction, Done done);
    Result<void> rollBack(TransactionId transaction);

    /// As Engine::send() and publish(), by this client: noLocal looks at who published.
    void send(std::string_view queue, Message message, Done done);
    void publish(std::string_view topic, Message message, Done done);

private:
    const std::shared_ptr<Core> core_;
    const std::uint64_t id_;
};

}  // namespace postbus::queues
