#pragma once

#include <postbus/fields.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/port/interceptor.hpp"
#include "formats/wsdl/contract.hpp"
#include "formats/xsd/validator.hpp"

namespace postbus::validate {

enum class Messages { Request, Answer, Both };
constexpr auto enumerators(Messages) {
    return std::array{enumerator("request", Messages::Request), enumerator("answer", Messages::Answer),
                      enumerator("both", Messages::Both)};
}

struct ValidateConfig {
    Messages messages = Messages::Both;

    static constexpr std::string_view shorthand = "messages";
    static constexpr auto fields() {
        return std::tuple{field("messages", &ValidateConfig::messages,
                                "Which messages have to be valid: a request that is not is the caller's fault, an "
                                "answer that is not is the service's.")};
    }
};

/// Holds payloads against the XML Schema of the contract, which is compiled here, once. A contract whose schema is none
/// is told in the log, and every request is refused: nothing passes unseen where it was to be looked at. Operations
/// that take anything have no schema, and are let pass. The contract must outlive it.
std::shared_ptr<const core::PayloadInterceptor> makeValidate(const wsdl::Contract& contract,
                                                             const ValidateConfig& config);

/// What a message is refused with: Invalid for a caller's, Internal for an answer that is the service's.
core::Fault refused(Error::Kind kind, std::string_view whose, const std::vector<xsd::Violation>& violations);

}  // namespace postbus::validate
