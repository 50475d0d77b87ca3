#pragma once

#include "base/result.hpp"
#include "bindings/soap/envelope.hpp"
#include "core/exchange/exchange.hpp"
#include "formats/wsdl/contract.hpp"

namespace postbus::soap {

/// Finds the operation by the Body's first element and identifies the exchange with it.
///
/// A Body holds one message of one operation: a second element is refused, unless the operation takes anything. The
/// action decides nothing, but must not contradict one that the contract sets. An empty Body is the message of an
/// operation without an element, named by its action, or of one that takes anything.
Result<void> dispatch(core::Exchange& exchange, const wsdl::Contract& contract, const Envelope& envelope);

}  // namespace postbus::soap
