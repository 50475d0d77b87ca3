#include "plugins/messaging/lent_delivery.hpp"

#include <utility>
#include <variant>

#include "base/log/event.hpp"
#include "plugins/messaging/convert.hpp"
#include "plugins/messaging/messaging_events.hpp"

namespace postbus::messaging {
namespace {

postbus_property lendProperty(const queues::Property& property) {
    postbus_property lent{};
    lent.name = lend(property.name);
    if (const auto* flag = std::get_if<bool>(&property.value)) {
        lent.kind = POSTBUS_PROPERTY_BOOL;
        lent.integer = *flag ? 1 : 0;
    } else if (const auto* integer = std::get_if<std::int64_t>(&property.value)) {
        lent.kind = POSTBUS_PROPERTY_INTEGER;
        lent.integer = *integer;
    } else if (const auto* real = std::get_if<double>(&property.value)) {
        lent.kind = POSTBUS_PROPERTY_REAL;
        lent.real = *real;
    } else {
        lent.kind = POSTBUS_PROPERTY_TEXT;
        lent.text = lend(std::get<std::string>(property.value));
    }
    return lent;
}

/// For those who want to know of nothing: the operator does.
queues::Done loggedFor(const queues::Delivery& delivery) {
    return [queue = delivery.queue, message = delivery.message](const Result<void>& done) {
        if (!done)
            log::emit(MessageUnsettled,
                      {{"queue", queue}, {"message", message->id}, {"reason", done.error().message()}});
    };
}

}  // namespace

LentDelivery::LentDelivery(Hub& hub, Owner& owner, Session session, queues::Delivery delivery,
                           std::shared_ptr<Recipient> recipient, int holds)
    : hub_(hub),
      owner_(owner),
      session_(std::move(session)),
      its_(std::move(delivery)),
      recipient_(std::move(recipient)),
      holds_(holds) {
    lendMessage();
    delivery_.size = sizeof delivery_;
    delivery_.count = its_.count;
    delivery_.redelivered = its_.redelivered ? 1 : 0;
    delivery_.queue = lend(its_.queue);
    delivery_.message = &message_;
    if (its_.deadLetter) {
        delivery_.dead_origin = lend(its_.deadLetter->origin);
        delivery_.dead_reason = lend(its_.deadLetter->reason);
    }
}

void LentDelivery::lendMessage() {
    const queues::Message& message = *its_.message;
    message_.size = sizeof message_;
    message_.priority = message.priority;
    message_.persistent = message.persistent ? 1 : 0;
    message_.group_sequence = message.groupSequence;
    message_.body = lend(message.body);
    message_.content_type = lend(message.contentType);
    message_.id = lend(message.id);
    message_.correlation_id = lend(message.correlationId);
    message_.reply_to = lend(message.replyTo);
    message_.type = lend(message.type);
    message_.group = lend(message.group);
    message_.duplicate_key = lend(message.duplicateKey);
    message_.time_to_live = message.timeToLive.count();
    message_.delay = message.delay.count();
    message_.timestamp = message.timestamp;
    message_.expires = message.expires;
    for (const queues::Property& each : message.properties) properties_.push_back(lendProperty(each));
    message_.properties = properties_.data();
    message_.property_count = static_cast<std::uint32_t>(properties_.size());
    message_.property_size = sizeof(postbus_property);
}

void LentDelivery::settle(std::uint32_t how, std::string_view reason, queues::Done done) {
    if (!done) done = loggedFor(its_);
    settled_.store(true, std::memory_order_release);
    switch (how) {
        case POSTBUS_SETTLE_DONE:
            session_->acknowledge(its_.consumer, its_.tag, std::move(done));
            break;
        case POSTBUS_SETTLE_RELEASE:
            done(session_->release(its_.consumer, its_.tag));
            break;
        case POSTBUS_SETTLE_SET_ASIDE:
            done(session_->setAside(its_.consumer, its_.tag, reason));
            break;
        default:
            done(session_->fail(its_.consumer, its_.tag, reason));
            break;
    }
    drop();
}

void LentDelivery::drop() {
    if (holds_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const std::shared_ptr<Recipient> recipient = recipient_;
    recipient->over(*this);
    delete this;
}

}  // namespace postbus::messaging
