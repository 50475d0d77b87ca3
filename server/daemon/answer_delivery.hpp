#pragma once

#include <string_view>

#include "core/port/senders.hpp"
#include "interceptors/addressing/answer_sender.hpp"
#include "server/daemon/queues.hpp"

namespace postbus::server {

/// Brings answers that go to an address of their own to the sender that knows it, and what can't be sent to a queue.
class AnswerDelivery final : public addressing::AnswerSender {
public:
    AnswerDelivery(const core::Senders& senders, const Queues& queues) : senders_(senders), queues_(queues) {}

    void send(addressing::SentAnswer&& answer, Done done) override;
    /// As a message to that queue, with the address and the reason as the properties undeliveredTo and
    /// undeliveredReason.
    void keep(std::string_view queue, addressing::SentAnswer&& answer, std::string_view reason, Done done) override;

private:
    const core::Senders& senders_;
    const Queues& queues_;
};

}  // namespace postbus::server
