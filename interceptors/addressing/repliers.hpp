#pragma once

#include <memory>
#include <string>

#include "core/exchange/exchange.hpp"
#include "interceptors/addressing/answer_sender.hpp"
#include "interceptors/addressing/properties.hpp"

/// Who is told the end of an exchange in its caller's place. They live no longer than the exchange.
namespace postbus::addressing {

/// For the address `none`: nobody.
std::shared_ptr<core::Replier> nobody(const core::Exchange& exchange);

/// Sends to `target`; what can't be sent goes to the queue `undelivered`, where there is one, and is logged.
std::shared_ptr<core::Replier> somebody(const core::Exchange& exchange, const Properties& request,
                                        const EndpointReference& target, std::shared_ptr<AnswerSender> sender,
                                        std::string undelivered);

}  // namespace postbus::addressing
