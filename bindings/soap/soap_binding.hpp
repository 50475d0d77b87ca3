#pragma once

#include <postbus/fields.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/port/binding.hpp"
#include "formats/wsdl/contract.hpp"
#include "formats/wsdl/write.hpp"

namespace postbus::soap {

enum class Version { Soap11, Soap12 };
constexpr auto enumerators(Version) {
    return std::array{enumerator("1.1", Version::Soap11), enumerator("1.2", Version::Soap12)};
}

struct SoapConfig {
    std::vector<Version> versions{Version::Soap11, Version::Soap12};
    std::vector<Version> advertise{Version::Soap11};

    static constexpr auto fields() {
        return std::tuple{
            field("versions", &SoapConfig::versions, "SOAP versions that are answered; each in its own kind."),
            field("advertise", &SoapConfig::advertise, "SOAP versions that get a port in the WSDL."),
        };
    }
};

/// SOAP 1.1 and 1.2, document/literal, on one path: POST with text/xml or application/soap+xml (and the media types
/// that real clients send instead). The contract must outlive the binding.
std::shared_ptr<const core::Binding> makeSoapBinding(const wsdl::Contract& contract, const SoapConfig& config);

/// GET and HEAD of ?wsdl (any case), ?singleWsdl and ?xsd=: the contract as WSDL 1.1, addresses by the host the caller
/// used, and what it says of WS-Addressing.
std::shared_ptr<const core::Binding> makeWsdlBinding(const wsdl::Contract& contract, const SoapConfig& config,
                                                     const wsdl::AddressingPolicy& addressing = {});

}  // namespace postbus::soap
