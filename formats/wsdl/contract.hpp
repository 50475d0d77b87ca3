#pragma once

#include <postbus/abi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postbus::wsdl {

/// One operation of a service. Names without a namespace of their own belong to the contract's.
struct Operation {
    std::string name;
    std::uint32_t id = 0;  ///< the plugin's own number for it
    bool nonblocking = false;
    bool any = false;  ///< takes every payload that no other operation takes
    std::uint32_t mep = POSTBUS_MEP_IN_OUT;
    std::string inElement, outElement;
    std::string soapAction;
    std::string doc;
    /// Descriptions of the two elements' types, or null: not described. Borrowed from the service, which must outlive
    /// this.
    const postbus_type* in = nullptr;
    const postbus_type* out = nullptr;
};

/// What a service offers, as WSDL 1.1 describes it: the one source of the served WSDL, of dispatch and of `postbus
/// call`.
struct Contract {
    std::string name;            ///< portType
    std::string ns;              ///< targetNamespace
    std::string implementation;  ///< names binding, service and port (JAX-WS 2.2 section 3.11)
    std::string doc;
    std::vector<Operation> operations;
    /// A WSDL that came with the service: served as it is, but for the addresses. Empty: made from the operations.
    std::string document;

    /// The operation of a payload's first element; `any` when none is named so; null when there is neither.
    const Operation* find(std::string_view uri, std::string_view local) const;
};

}  // namespace postbus::wsdl
