#include <utility>

#include "core/port/inbound_port.hpp"
#include "endpoints/destination/destination_endpoint.hpp"

namespace postbus::destination {
namespace {

class DestinationBinding final : public core::Binding {
public:
    DestinationBinding(const wsdl::Operation& message, std::shared_ptr<const core::Binding> terms)
        : message_(message), terms_(std::move(terms)) {}

    bool claims(const core::RequestHead& head) const override { return head.method == "POST"; }
    std::string_view methods() const override { return "POST"; }
    Result<void> inspect(const core::RequestHead& head) const override {
        if (head.contentType.empty())
            return Error(Error::Kind::Unsupported, "the request has no Content-Type; who takes it needs to know");
        return ok();
    }
    Result<void> read(core::Exchange&) const override { return ok(); }
    Result<void> unwrap(core::Exchange& exchange) const override {
        exchange.identify(message_, POSTBUS_NO_NODE, POSTBUS_NO_NODE);
        return ok();
    }
    void prepare(core::Exchange& exchange) const override { exchange.draft().bytes.clear(core::transportHeadroom); }
    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        core::AnswerDraft& draft = exchange.draft();
        answer.contentType = draft.contentType;
        answer.body = std::move(draft.bytes);
        return ok();
    }
    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange*, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        return terms_->writeFault(head, nullptr, fault, requestId, std::move(memory));
    }

private:
    const wsdl::Operation& message_;
    const std::shared_ptr<const core::Binding> terms_;
};

}  // namespace

std::shared_ptr<const core::Binding> makeDestinationBinding(const DestinationEndpoint& endpoint,
                                                            std::shared_ptr<const core::Binding> terms) {
    return std::make_shared<DestinationBinding>(endpoint.message(), std::move(terms));
}

}  // namespace postbus::destination
