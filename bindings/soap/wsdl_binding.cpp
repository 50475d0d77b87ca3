#include <optional>
#include <string>

#include "bindings/soap/address.hpp"
#include "bindings/soap/soap_binding.hpp"
#include "bindings/soap/version_shape.hpp"
#include "core/port/inbound_port.hpp"
#include "formats/wsdl/documents.hpp"
#include "formats/xsd/text.hpp"

namespace postbus::soap {
namespace {

/// What a query asks for: its first key, in any case, and that key's value, percent-decoded.
struct Query {
    enum class Asks { Nothing, Wsdl, Schema } asks = Asks::Nothing;
    std::string_view value;  ///< as it was sent
};

Query queryOf(std::string_view query) {
    const std::string_view first = query.substr(0, query.find('&'));
    const std::size_t equals = first.find('=');
    const std::string_view key = first.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? std::string_view{} : first.substr(equals + 1);
    if (core::sameName(key, "wsdl") || core::sameName(key, "singleWsdl")) return {Query::Asks::Wsdl, value};
    if (core::sameName(key, "xsd")) return {Query::Asks::Schema, value};
    return {};
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

std::string percentDecoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped =
            text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0;
        decoded += escaped ? static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2])) : text[i];
        if (escaped) i += 2;
    }
    return decoded;
}

class WsdlBinding final : public core::Binding {
public:
    WsdlBinding(const wsdl::Contract& contract, const Versions& versions, const wsdl::AddressingPolicy& addressing)
        : documents_(contract, versions.advertise11, versions.advertise12, addressing) {}

    bool claims(const core::RequestHead& head) const override {
        return (head.method == "GET" || head.method == "HEAD") && queryOf(head.query).asks != Query::Asks::Nothing;
    }
    std::string_view methods() const override { return "GET, HEAD"; }

    Result<void> read(core::Exchange&) const override { return ok(); }

    Result<void> unwrap(core::Exchange& exchange) const override {
        const core::RequestHead& head = exchange.request().head;
        const wsdl::Template* document = find(queryOf(head.query));
        // One answer for all names that are not the contract's: it tells nothing about files.
        if (!document) return Error(Error::Kind::NotFound, "the contract has no document of that name");
        Buffer& bytes = exchange.draft().bytes;
        bytes.clear(core::transportHeadroom);
        document->append(bytes, addressOf(head));
        return ok();
    }

    void prepare(core::Exchange&) const override {}

    Result<core::WireAnswer> write(core::Exchange& exchange) const override {
        core::WireAnswer answer;
        answer.contentType = "text/xml; charset=utf-8";
        answer.body = std::move(exchange.draft().bytes);
        return answer;
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
    const wsdl::Template* find(const Query& query) const {
        if (query.asks == Query::Asks::Wsdl && query.value.empty()) return &documents_.wsdl();
        return documents_.beside(percentDecoded(query.value));
    }

    wsdl::Documents documents_;
};

}  // namespace

std::shared_ptr<const core::Binding> makeWsdlBinding(const wsdl::Contract& contract, const SoapConfig& config,
                                                     const wsdl::AddressingPolicy& addressing) {
    return std::make_shared<WsdlBinding>(contract, versionsOf(config), addressing);
}

}  // namespace postbus::soap
