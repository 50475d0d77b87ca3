#pragma once

#include <memory>

#include "core/port/binding.hpp"
#include "formats/wsdl/contract.hpp"

namespace postbus::raw {

/// For endpoints that pass messages on without a look inside: every method but CONNECT and TRACE, every media type, the
/// body as it came, whole or as a stream; and the answer's status, fields and body likewise. `operation` is what every
/// request is for; it must outlive the binding. A fault of the bus's own is told to a POST in the terms of `terms`, to
/// others as plain text.
std::shared_ptr<const core::Binding> makeRawBinding(const wsdl::Operation& operation,
                                                    std::shared_ptr<const core::Binding> terms);

}  // namespace postbus::raw
