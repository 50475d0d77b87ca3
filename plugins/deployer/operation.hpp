#pragma once

#include <postbus/abi.h>

#include "base/result.hpp"
#include "formats/wsdl/contract.hpp"

namespace postbus::deployer {

/// An operation as the bus keeps it, from the plugin's table; `contract` holds those before it. The error says what of
/// the table can't be used: sizes, pointers, kinds, an id taken twice. After it all that the table refers to may be
/// read; whether it makes a contract is for wsdl::validate() to say.
Result<wsdl::Operation> toOperation(const postbus_operation& table, const wsdl::Contract& contract);

}  // namespace postbus::deployer
