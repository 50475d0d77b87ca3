#include "queues/engine/session.hpp"

#include "queues/engine/core/core.hpp"

namespace postbus::queues {

Session::~Session() { core_->disconnect(id_); }

Result<ConsumerId> Session::consume(std::string_view queue, const ConsumerOptions& options, Handler handler) {
    return core_->consume(id_, queue, options, std::move(handler));
}
Result<ConsumerId> Session::subscribe(std::string_view topic, const SubscriptionOptions& subscription,
                                      const ConsumerOptions& options, Handler handler,
                                      const std::optional<QueueSettings>& settings) {
    return core_->subscribe(id_, topic, subscription, options, std::move(handler), settings);
}
Result<void> Session::unsubscribe(std::string_view name, bool shared) { return core_->unsubscribe(id_, name, shared); }
void Session::addCredit(ConsumerId consumer, std::uint32_t messages) { core_->addCredit(id_, consumer, messages); }
std::uint32_t Session::credit(ConsumerId consumer) const { return core_->credit(id_, consumer); }
void Session::cancel(ConsumerId consumer) { core_->cancel(id_, consumer, true); }
void Session::leave(ConsumerId consumer) { core_->cancel(id_, consumer, false); }
Result<std::string> Session::temporaryQueue() { return core_->temporaryQueue(id_); }

void Session::acknowledge(ConsumerId consumer, Tag tag, Done done) {
    core_->acknowledge(id_, consumer, tag, Core::Reach::One, std::move(done));
}
void Session::acknowledgeUpTo(ConsumerId consumer, Tag tag, Done done) {
    core_->acknowledge(id_, consumer, tag, Core::Reach::UpTo, std::move(done));
}
void Session::acknowledgeAll(Done done) { core_->acknowledgeAll(id_, std::move(done)); }
Result<void> Session::release(ConsumerId consumer, Tag tag) {
    return core_->giveBack(id_, consumer, tag, Core::Return::Release, {});
}
Result<void> Session::fail(ConsumerId consumer, Tag tag, std::string_view reason) {
    return core_->giveBack(id_, consumer, tag, Core::Return::Fail, reason);
}
Result<void> Session::setAside(ConsumerId consumer, Tag tag, std::string_view reason) {
    return core_->giveBack(id_, consumer, tag, Core::Return::SetAside, reason);
}

TransactionId Session::begin() { return core_->begin(id_); }
Result<void> Session::send(TransactionId transaction, std::string_view queue, Message message) {
    return core_->enlist(id_, transaction, Outgoing{false, std::string(queue), std::move(message)});
}
Result<void> Session::publish(TransactionId transaction, std::string_view topic, Message message) {
    return core_->enlist(id_, transaction, Outgoing{true, std::string(topic), std::move(message)});
}
Result<void> Session::acknowledge(TransactionId transaction, ConsumerId consumer, Tag tag) {
    return core_->enlist(id_, transaction, consumer, tag);
}
void Session::commit(TransactionId transaction, Done done) { core_->commit(id_, transaction, std::move(done)); }
Result<void> Session::rollBack(TransactionId transaction) { return core_->rollBack(id_, transaction); }

void Session::send(std::string_view queue, Message message, Done done) {
    core_->send(queue, std::move(message), std::move(done));
}
void Session::publish(std::string_view topic, Message message, Done done) {
    core_->publish(id_, topic, std::move(message), std::move(done));
}

}  // namespace postbus::queues
