#pragma once

#include <string>
#include <string_view>

#include "bindings/soap/version_shape.hpp"
#include "core/exchange/fault.hpp"
#include "interceptors/addressing/edition.hpp"

namespace postbus::addressing {

/// What is wrong with the addressing of a message: one of the faults of WS-Addressing 1.0 SOAP Binding section 6.4.
struct Problem {
    enum class Kind {
        InvalidAddress,
        InvalidEpr,
        InvalidCardinality,
        MissingAddressInEpr,
        ActionMismatch,
        OnlyAnonymousAddressSupported,
        OnlyNonAnonymousAddressSupported,
        HeaderRequired,
        DestinationUnreachable,
        ActionNotSupported
    };
    Kind kind;
    std::string_view header;      ///< local name of the one it is about
    std::string reason;           ///< for people
    std::string value = {};       ///< the address or action that it is about
    std::string soapAction = {};  ///< of a mismatch
};

/// The fault as that edition has it, but for the headers that every answer gets.
core::Fault faultOf(const Problem& problem, const Edition& edition, soap::Version version);

/// Makes a fault for want of room, or of a backend, the one that the specification has for it.
void makeUnavailable(core::Fault& fault, const Edition& edition, soap::Version version);

}  // namespace postbus::addressing
