#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/wsdl/contract.hpp"

namespace postbus::wsdl {

/// The actions of one operation (WS-Addressing 1.0 Metadata section 4.4).
struct OperationActions {
    const Operation* operation = nullptr;
    std::string in, out;
    /// The contract says which action its requests have: by wsam:Action, wsaw:Action or soapAction. Else `in` is the
    /// default pattern's.
    bool named = false;
};

/// The actions of all operations of a contract that have a name on the wire, as its WSDL gives them, or leaves them to
/// the default pattern. Borrows the contract's operations.
std::vector<OperationActions> actionsOf(const Contract& contract);

}  // namespace postbus::wsdl
