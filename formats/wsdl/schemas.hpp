#pragma once

#include "formats/wsdl/contract.hpp"
#include "formats/xsd/validator.hpp"

namespace postbus::wsdl {

/// The schemas of a contract, for a validator: those that stand in its WSDL, or in the one that is made of it, those of
/// the WSDLs that it imports, and beside them the documents that they refer to. For a contract that validate() has
/// passed.
Result<xsd::SchemaDocuments> schemasOf(const Contract& contract);

}  // namespace postbus::wsdl
