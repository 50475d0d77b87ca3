#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/port/senders.hpp"
#include "queues/engine/engine.hpp"

namespace postbus::queue {

/// Takes messages to jms:queue:NAME addresses, as SOAP over JMS 1.0 has them; "sent" is when the queue has them for
/// good. Of a message's fields SOAPAction, JMSCorrelationID and SOAPJMS_isFault are looked at.
class QueueSender final : public core::Sender {
public:
    /// `engine` gives the one that is open now, or null, and waits for nothing; from any thread.
    explicit QueueSender(std::function<std::shared_ptr<queues::Engine>()> engine) : engine_(std::move(engine)) {}

    Result<void> check(std::string_view uri) const override;
    void send(std::string_view uri, core::OutboundMessage message, TimePoint deadline, Sent sent) override;

private:
    const std::function<std::shared_ptr<queues::Engine>()> engine_;
};

}  // namespace postbus::queue
