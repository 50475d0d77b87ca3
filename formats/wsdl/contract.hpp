#pragma once

#include <postbus/abi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

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
    /// Schemas and WSDLs that `document` refers to, by the relative name it uses ("types.xsd", "common/types.xsd").
    /// Served as ?xsd=NAME and ?wsdl=NAME; nothing but what is in here is ever served.
    std::map<std::string, std::string, std::less<>> documents;

    /// The operation of a payload's first element; `any` when none is named so; null when there is neither.
    const Operation* find(std::string_view uri, std::string_view local) const;
    /// What binding, service and port are named by: the implementation, else the portType.
    const std::string& implementationName() const { return implementation.empty() ? name : implementation; }
};

/// Whether the contract can be served, else all that speaks against it, for the service's author: names that are no XML
/// names, operations or types of one name, missing descriptions, documents that are not well-formed UTF-8. Ask before a
/// service is deployed.
Result<void> validate(const Contract& contract);

}  // namespace postbus::wsdl
