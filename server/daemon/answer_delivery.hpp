#pragma once

#include <string_view>

#include "interceptors/addressing/answer_sender.hpp"
#include "server/daemon/queues.hpp"

namespace postbus::server {

/// Brings answers that go to an address of their own to the transport that knows it: jms:queue:NAME to the queues.
class AnswerDelivery final : public addressing::AnswerSender {
public:
    explicit AnswerDelivery(const Queues& queues) : queues_(queues) {}

    void send(addressing::SentAnswer&& answer, Done done) override;
    /// As a message to that queue, with the address and the reason as the properties undeliveredTo and
    /// undeliveredReason.
    void keep(std::string_view queue, addressing::SentAnswer&& answer, std::string_view reason, Done done) override;

private:
    void enqueue(std::string_view queue, queues::Message message, Done done) const;

    const Queues& queues_;
};

}  // namespace postbus::server
