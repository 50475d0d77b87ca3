#pragma once

#include <cstddef>
#include <memory>

#include "base/timer_wheel.hpp"
#include "core/exchange/exchange.hpp"
#include "core/routing/admission.hpp"
#include "queues/engine/message.hpp"
#include "transports/queue/soap_jms.hpp"

namespace postbus::queue {

class InboundQueue;

/// One message of a queue on its way through the bus, and what becomes of it.
///
/// With the answer, or the fault, of a request that names a queue for it: put there and the request acknowledged, in
/// one transaction. A fault that may pass (Unavailable, Timeout) before the last attempt: a failed attempt, the queue's
/// settings say when it comes again. Any other fault that nobody waits for, or that the pattern tells nobody: set aside
/// in the dead letter queue, with the reason. Done, or an answer that nobody waits for: acknowledged. For the loop's
/// thread.
class QueueExchange final : public core::Replier, public Timer, public std::enable_shared_from_this<QueueExchange> {
public:
    QueueExchange(std::shared_ptr<InboundQueue> owner, std::size_t consumer, queues::Delivery delivery)
        : owner_(std::move(owner)), consumer_(consumer), delivery_(std::move(delivery)) {}

    /// May have ended when this returns. The admission has a route and a binding.
    void begin(core::Admission&& admission);
    /// Leaves the message unacknowledged and its exchange unheard.
    void giveUp();

    void answer(core::WireAnswer&& answer) override;
    void onTimer() override;

private:
    core::WireRequest request(const RequestProperties& properties, const core::Route& route) const;
    std::optional<core::Fault> objection(const core::Admission& admission, core::WireRequest& request,
                                         const RequestProperties& properties) const;
    TimePoint deadline() const;
    bool awaited(const core::WireAnswer& answer) const;
    bool triedAgain(const core::WireAnswer& answer) const;
    void settle(const core::WireAnswer& answer);
    void reply(const core::WireAnswer& answer);

    const std::shared_ptr<InboundQueue> owner_;
    const std::size_t consumer_;  ///< of the owner's
    const queues::Delivery delivery_;
    core::ExchangeRef exchange_;
};

}  // namespace postbus::queue
