#include "endpoints/remote/remote_bindings.hpp"

#include <utility>

#include "bindings/raw/raw_binding.hpp"

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
    Result<core::WireAnswer> write(core::Exchange& exchange) const override { return terms_->write(exchange); }
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        return terms_->writeFault(head, exchange, fault, requestId, std::move(memory));
    }

private:
    const wsdl::Operation& operation_;
    std::shared_ptr<const core::Binding> terms_;
};

}  // namespace

std::vector<std::shared_ptr<const core::Binding>> makeBindings(const RemoteEndpoint& endpoint,
                                                               const soap::SoapConfig& soap) {
    return {std::make_shared<DocumentBinding>(endpoint.document(), soap::makeWsdlBinding(noContract, soap)),
            raw::makeRawBinding(endpoint.message(), soap::makeSoapBinding(noContract, soap))};
}

}  // namespace postbus::remote
