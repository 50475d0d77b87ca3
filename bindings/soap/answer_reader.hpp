#pragma once

#include <postbus/element.hpp>

#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "bindings/soap/soap_binding.hpp"
#include "core/exchange/fault.hpp"
#include "formats/xml/tape.hpp"

namespace postbus::soap {

/// What a remote service answered. Borrows the tape that it was read into.
struct RemoteAnswer {
    Element payload;                   ///< first element of the Body, or none
    std::optional<core::Fault> fault;  ///< instead
};

/// Reads the envelope of an answer, of either version. `charset` is the transport's, or empty. BadGateway, with the
/// reason, when it is none, or not well-formed.
Result<RemoteAnswer> readAnswer(std::string_view bytes, std::string_view charset, xml::Tape& tape);

}  // namespace postbus::soap
