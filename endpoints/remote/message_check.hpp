#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/exchange/fault.hpp"
#include "endpoints/remote/remote_documents.hpp"
#include "formats/xsd/validator.hpp"
#include "interceptors/validate/validate.hpp"

namespace postbus::remote {

/// Holds messages against the schema of a remote service, as its own WSDL has it just then.
class MessageCheck {
public:
    using Validator = std::shared_ptr<const xsd::Validator>;

    explicit MessageCheck(const validate::ValidateConfig& config) : messages_(config.messages) {}

    bool ofRequests() const { return messages_ != validate::Messages::Answer; }
    bool ofAnswers() const { return messages_ != validate::Messages::Request; }
    /// Compiled where the documents have changed since the last time. BadGateway when they hold no good schema: nothing
    /// passes unseen. Thread-safe.
    Result<Validator> validatorFor(const RemoteDocuments::Documents& documents);

    /// What speaks against a payload; one that is not there is the service's to judge.
    static std::optional<core::Fault> request(const xsd::Validator& validator, Element payload);
    static std::optional<core::Fault> answer(const xsd::Validator& validator, Element payload);

private:
    const validate::Messages messages_;
    std::mutex mutex_;
    RemoteDocuments::Documents compiledOf_;
    Validator compiled_;
};

}  // namespace postbus::remote
