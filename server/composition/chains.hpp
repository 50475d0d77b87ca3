#pragma once

#include <memory>

#include "core/port/chain.hpp"
#include "formats/wsdl/contract.hpp"
#include "formats/wsdl/write.hpp"
#include "interceptors/addressing/answer_sender.hpp"
#include "server/config/interceptor_config.hpp"

namespace postbus::server {

/// The interceptors of an endpoint, made from its configuration; null when there are none. The contract must outlive
/// them.
std::shared_ptr<const core::Chain> makeChain(const wsdl::Contract& contract, const Interceptors& interceptors,
                                             const std::shared_ptr<addressing::AnswerSender>& sender);

/// What the endpoint's WSDL says of addressing.
wsdl::AddressingPolicy policyOf(const Interceptors& interceptors);

}  // namespace postbus::server
