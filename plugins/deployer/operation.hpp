#pragma once

#include <postbus/abi.h>

#include "base/result.hpp"
#include "formats/wsdl/contract.hpp"

namespace postbus::deployer {

/// An operation as the bus keeps it, from the plugin's table; `contract` holds those before it. The error says which
/// rule the table breaks: names, ids taken twice, tables of types that can't be.
Result<wsdl::Operation> toOperation(const postbus_operation& table, const wsdl::Contract& contract);

}  // namespace postbus::deployer
