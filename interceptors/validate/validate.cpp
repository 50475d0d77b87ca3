#include "interceptors/validate/validate.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/log/event.hpp"
#include "core/exchange/exchange.hpp"
#include "formats/wsdl/schemas.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xsd/validator.hpp"
#include "interceptors/validate/validate_events.hpp"

namespace postbus::validate {
namespace {

using core::Exchange;
using core::Fault;

/// What speaks against an answer, however it was drafted.
std::vector<xsd::Violation> violationsOf(const xsd::Validator& validator, const core::AnswerDraft& draft,
                                         const wsdl::Operation& operation) {
    if (!draft.tape.empty()) return validator.check(draft.tape.root());
    if (draft.bytes.empty() && operation.outElement.empty()) return {};
    xml::Tape tape;
    if (auto parsed = xml::parse(draft.bytes.view(), "utf-8", xml::Limits{}, tape); !parsed)
        return {{0, operation.outElement, {}, "the answer is no single element: " + parsed.error().message()}};
    return validator.check(tape.root());
}

class Validate final : public core::PayloadInterceptor {
public:
    Validate(std::shared_ptr<const xsd::Validator> validator, Messages messages)
        : validator_(std::move(validator)), messages_(messages) {}

    std::optional<Fault> onRequest(Exchange& exchange) const override {
        const Element payload = exchange.payload();
        if (messages_ == Messages::Answer || exchange.operation()->any || !payload) return std::nullopt;
        const auto violations = validator_->check(payload);
        if (violations.empty()) return std::nullopt;
        return refused(Error::Kind::Invalid, "the request", violations);
    }

    std::optional<Fault> onAnswer(Exchange& exchange, Fault* fault) const override {
        if (messages_ == Messages::Request || fault || exchange.operation()->any) return std::nullopt;
        const auto violations = violationsOf(*validator_, exchange.draft(), *exchange.operation());
        if (violations.empty()) return std::nullopt;
        log::emit(AnswerInvalid, {{"request", exchange.id()},
                                  {"operation", exchange.operation()->name},
                                  {"reason", violations.front().text()}});
        return refused(Error::Kind::Internal, "the service's answer", violations);
    }

private:
    const std::shared_ptr<const xsd::Validator> validator_;
    const Messages messages_;
};

class Refusing final : public core::PayloadInterceptor {
public:
    explicit Refusing(std::string reason) : reason_(std::move(reason)) {}
    std::optional<Fault> onRequest(Exchange&) const override {
        return core::toFault(Error::internal("messages of this endpoint can't be validated: " + reason_));
    }
    std::optional<Fault> onAnswer(Exchange&, Fault*) const override { return std::nullopt; }

private:
    const std::string reason_;
};

Result<std::shared_ptr<const xsd::Validator>> validatorOf(const wsdl::Contract& contract) {
    auto schemas = wsdl::schemasOf(contract);
    if (!schemas) return std::move(schemas).error();
    return xsd::Validator::compile(*schemas);
}

}  // namespace

core::Fault refused(Error::Kind kind, std::string_view whose, const std::vector<xsd::Violation>& violations) {
    std::string reason = std::string(whose) + " is not valid by the contract's schema: ";
    for (std::size_t i = 0; i < violations.size(); ++i) (reason += i ? "; " : "") += violations[i].text();
    return core::toFault(Error(kind, std::move(reason)));
}

std::shared_ptr<const core::PayloadInterceptor> makeValidate(const wsdl::Contract& contract,
                                                             const ValidateConfig& config) {
    auto validator = validatorOf(contract);
    if (validator) return std::make_shared<Validate>(std::move(*validator), config.messages);
    log::emit(SchemaRefused, {{"service", contract.name}, {"reason", validator.error().message()}});
    return std::make_shared<Refusing>(validator.error().message());
}

}  // namespace postbus::validate
