#include "endpoints/remote/message_check.hpp"

#include <utility>

#include "formats/wsdl/schemas.hpp"

namespace postbus::remote {
namespace {

bool areEqual(const RemoteDocuments::Documents& a, const RemoteDocuments::Documents& b) {
    return a == b ||
           (a && a->contract.document == b->contract.document && a->contract.documents == b->contract.documents);
}

std::optional<core::Fault> checked(const xsd::Validator& validator, Element payload, Error::Kind kind,
                                   std::string_view whose) {
    if (!payload) return std::nullopt;
    const auto violations = validator.check(payload);
    if (violations.empty()) return std::nullopt;
    return validate::refused(kind, whose, violations);
}

}  // namespace

Result<MessageCheck::Validator> MessageCheck::validatorFor(const RemoteDocuments::Documents& documents) {
    const std::lock_guard lock(mutex_);
    if (!areEqual(compiledOf_, documents)) {
        auto schemas = wsdl::schemasOf(documents->contract);
        auto made = schemas ? xsd::Validator::compile(*schemas) : Result<Validator>(std::move(schemas).error());
        if (!made)
            return Error(Error::Kind::BadGateway,
                         "messages of this endpoint can't be validated: its WSDL: " + made.error().message());
        compiled_ = std::move(*made);
    }
    compiledOf_ = documents;
    return compiled_;
}

std::optional<core::Fault> MessageCheck::request(const xsd::Validator& validator, Element payload) {
    return checked(validator, payload, Error::Kind::Invalid, "the request");
}

std::optional<core::Fault> MessageCheck::answer(const xsd::Validator& validator, Element payload) {
    return checked(validator, payload, Error::Kind::BadGateway, "the service's answer");
}

}  // namespace postbus::remote
