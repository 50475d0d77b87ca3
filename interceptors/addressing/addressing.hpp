#pragma once

#include <memory>

#include "core/port/interceptor.hpp"
#include "formats/wsdl/contract.hpp"
#include "interceptors/addressing/addressing_config.hpp"
#include "interceptors/addressing/answer_sender.hpp"

namespace postbus::addressing {

/// WS-Addressing 1.0 and the submission of August 2004, for one endpoint's SOAP messages.
///
/// A message without its headers passes untouched, unless the policy requires them. With them the answer gets its own,
/// in the same edition, and goes where ReplyTo and FaultTo say: back, nowhere, or to an address that the configuration
/// allows. The contract must outlive the interceptor; `sender` may be null where no address is allowed.
std::shared_ptr<const core::EnvelopeInterceptor> makeAddressing(const wsdl::Contract& contract,
                                                                const AddressingConfig& config,
                                                                std::shared_ptr<AnswerSender> sender);

}  // namespace postbus::addressing
