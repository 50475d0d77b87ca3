#pragma once

#include <string>

#include "formats/wsdl/contract.hpp"

namespace postbus::wsdl {

/// What a WSDL says of WS-Addressing (WS-Addressing 1.0 Metadata section 3.1).
struct AddressingPolicy {
    enum class Use { Silent, Optional, Required } use = Use::Silent;
    enum class Responses { Any, Anonymous, NonAnonymous } responses = Responses::Any;
};

struct WriteOptions {
    bool soap11 = true, soap12 = false;  ///< versions that get a binding and a port
    std::string address;                 ///< of the ports
    AddressingPolicy addressing = {};    ///< unless silent, the actions are named too
};

/// The contract as WSDL 1.1, document/literal wrapped (WSDL 1.1 section 3, names by JAX-WS 2.2 section 3), made from
/// the operations; for a contract that validate() has passed.
///
/// Portnames: IMPLPort for SOAP 1.1, IMPLPortSoap12 for SOAP 1.2. In-only operations have no output. An operation whose
/// types are not described takes and gives any content inside of its element. One that takes any element has no name on
/// the wire and so no place in a portType: it is left out, and the documentation says so.
std::string write(const Contract& contract, const WriteOptions& options);

}  // namespace postbus::wsdl
