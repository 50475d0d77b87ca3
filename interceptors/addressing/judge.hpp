#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/exchange/exchange.hpp"
#include "formats/wsdl/actions.hpp"
#include "interceptors/addressing/addressing_config.hpp"
#include "interceptors/addressing/allowed_addresses.hpp"
#include "interceptors/addressing/problem.hpp"
#include "interceptors/addressing/properties.hpp"

namespace postbus::addressing {

/// What an endpoint makes of the addressing of a message that is well-formed. Immutable.
class Judge {
public:
    Judge(const wsdl::Contract& contract, const AddressingConfig& config)
        : contract_(contract), config_(config), actions_(wsdl::actionsOf(contract)), allowed_(config.replyTo) {}

    /// What speaks against the request, or nothing.
    std::optional<Problem> objection(const core::Exchange& exchange, const Properties& its) const;

    enum class Way { Caller, Nowhere, Elsewhere, Refused };
    Way wayTo(const EndpointReference& target, const Edition& edition) const;

    /// Of an answer of this operation.
    std::string_view answerAction(const wsdl::Operation* operation) const;

private:
    std::optional<Problem> checkAction(const core::Exchange& exchange, const Properties& its,
                                       const wsdl::Operation* operation) const;
    std::optional<Problem> checkResponses(const Properties& its, const wsdl::Operation* operation) const;
    std::optional<Problem> checkTarget(const EndpointReference& target, const Edition& edition) const;
    /// The operation that a message is for, as far as the envelope shows it.
    const wsdl::Operation* operationOf(const core::Exchange& exchange, std::string_view action) const;

    const wsdl::Contract& contract_;
    const AddressingConfig config_;
    const std::vector<wsdl::OperationActions> actions_;
    const AllowedAddresses allowed_;
};

}  // namespace postbus::addressing
