#include "endpoints/remote/remote_bindings.hpp"

#include <utility>

#include "bindings/raw/raw_binding.hpp"
#include "bindings/soap/envelope.hpp"

namespace postbus::remote {
namespace {

const wsdl::Contract noContract;

/// The answer is the endpoint's to draft: it may have to fetch it.
class DocumentBinding final : public core::Binding {
public:
    DocumentBinding(const wsdl::Operation& operation, std::shared_ptr<const core::Binding> terms)
        : operation_(operation), terms_(std::move(terms)) {}

    bool claims(const core::RequestHead& head) const override { return terms_->claims(head); }
    std::string_view methods() const override { return terms_->methods(); }
    Result<void> read(core::Exchange&) const override { return ok(); }
    Result<void> unwrap(core::Exchange& exchange) const override {
        exchange.identify(operation_, POSTBUS_NO_NODE, POSTBUS_NO_NODE);
        return ok();
    }
    void prepare(core::Exchange& exchange) const override { exchange.draft().bytes.clear(core::transportHeadroom); }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        return terms_->write(exchange, answer);
    }
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        return terms_->writeFault(head, exchange, fault, requestId, std::move(memory));
    }

private:
    const wsdl::Operation& operation_;
    std::shared_ptr<const core::Binding> terms_;
};

/// SOAP messages that are looked into before they go on, and go on as they came.
class CheckedBinding final : public core::Binding {
public:
    CheckedBinding(std::shared_ptr<const core::Binding> raw, std::shared_ptr<const core::Binding> soap,
                   const wsdl::Operation& operation)
        : raw_(std::move(raw)), soap_(std::move(soap)), operation_(operation) {}

    bool claims(const core::RequestHead& head) const override { return soap_->claims(head); }
    std::string_view methods() const override { return soap_->methods(); }
    Result<void> inspect(const core::RequestHead& head) const override { return soap_->inspect(head); }
    Result<void> read(core::Exchange& exchange) const override { return soap_->read(exchange); }
    Result<void> unwrap(core::Exchange& exchange) const override {
        const Element root = exchange.tape().root();
        auto version = soap::versionOf(root);
        if (!version) return std::move(version).error();
        auto envelope = soap::openEnvelope(root, *version);
        if (!envelope) return std::move(envelope).error();
        const Element payload = envelope->body.firstChild();
        const std::uint32_t at = payload ? payload.index() : POSTBUS_NO_NODE;
        exchange.identify(operation_, at, at);
        return ok();
    }
    void prepare(core::Exchange& exchange) const override { raw_->prepare(exchange); }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        return raw_->write(exchange, answer);
    }
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        return soap_->writeFault(head, exchange, fault, requestId, std::move(memory));
    }

private:
    const std::shared_ptr<const core::Binding> raw_, soap_;
    const wsdl::Operation& operation_;
};

}  // namespace

std::vector<std::shared_ptr<const core::Binding>> makeBindings(const RemoteEndpoint& endpoint,
                                                               const soap::SoapConfig& soap) {
    auto documents = std::make_shared<DocumentBinding>(endpoint.document(), soap::makeWsdlBinding(noContract, soap));
    auto terms = soap::makeSoapBinding(noContract, soap);
    auto messages = raw::makeRawBinding(endpoint.message(), terms);
    if (endpoint.check()) messages = std::make_shared<CheckedBinding>(messages, terms, endpoint.message());
    return {std::move(documents), std::move(messages)};
}

}  // namespace postbus::remote
