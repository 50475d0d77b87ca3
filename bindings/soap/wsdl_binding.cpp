#include <optional>
#include <string>

#include "bindings/soap/address.hpp"
#include "bindings/soap/soap_binding.hpp"
#include "bindings/soap/version_shape.hpp"
#include "bindings/soap/wsdl_query.hpp"
#include "core/port/inbound_port.hpp"
#include "formats/wsdl/documents.hpp"
#include "formats/xsd/text.hpp"

namespace postbus::soap {
namespace {

class WsdlBinding final : public core::Binding {
public:
    WsdlBinding(const wsdl::Contract& contract, const Versions& versions, const wsdl::AddressingPolicy& addressing)
        : documents_(contract, versions.advertise11, versions.advertise12, addressing) {}

    bool claims(const core::RequestHead& head) const override {
        return (head.method == "GET" || head.method == "HEAD") &&
               WsdlQuery::of(head.query).asks != WsdlQuery::Asks::Nothing;
    }
    std::string_view methods() const override { return "GET, HEAD"; }
    std::string_view hint() const override { return "the service's contract is at ?wsdl"; }

    Result<void> read(core::Exchange&) const override { return ok(); }

    Result<void> unwrap(core::Exchange& exchange) const override {
        const core::RequestHead& head = exchange.request().head;
        const wsdl::Template* document = find(WsdlQuery::of(head.query));
        // One answer for all names that are not the contract's: it tells nothing about files.
        if (!document) return Error(Error::Kind::NotFound, "the contract has no document of that name");
        Buffer& bytes = exchange.draft().bytes;
        bytes.clear(core::transportHeadroom);
        document->append(bytes, addressOf(head));
        return ok();
    }

    void prepare(core::Exchange&) const override {}

    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        answer.contentType = "text/xml; charset=utf-8";
        answer.body = std::move(exchange.draft().bytes);
        return ok();
    }

    core::WireAnswer writeFault(const core::RequestHead&, const core::Exchange*, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override {
        memory.clear(core::transportHeadroom);
        memory.append(xsd::legalText(fault.reason));
        memory.append(" (request ");
        memory.append(requestId);
        memory.append(")\n");
        core::WireAnswer answer;
        answer.status = core::httpStatus(fault.kind);
        answer.contentType = "text/plain; charset=utf-8";
        if (fault.kind == Error::Kind::Unavailable) answer.retryAfter = std::chrono::seconds(1);
        answer.body = std::move(memory);
        return answer;
    }

private:
    const wsdl::Template* find(const WsdlQuery& query) const {
        if (query.asks == WsdlQuery::Asks::Wsdl && query.name.empty()) return &documents_.wsdl();
        return documents_.beside(query.name);
    }

    wsdl::Documents documents_;
};

}  // namespace

std::shared_ptr<const core::Binding> makeWsdlBinding(const wsdl::Contract& contract, const SoapConfig& config,
                                                     const wsdl::AddressingPolicy& addressing) {
    return std::make_shared<WsdlBinding>(contract, versionsOf(config), addressing);
}

}  // namespace postbus::soap
