#include "bindings/soap/soap_binding.hpp"

#include "base/log/event.hpp"
#include "bindings/soap/dispatch.hpp"
#include "bindings/soap/envelope.hpp"
#include "bindings/soap/fault_writer.hpp"
#include "bindings/soap/media.hpp"
#include "bindings/soap/raw_answer.hpp"
#include "bindings/soap/soap_events.hpp"
#include "bindings/soap/version_shape.hpp"
#include "core/routing/route_table.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::soap {
namespace {

constexpr std::size_t headroom = core::transportHeadroom + std::max(shape11.start.size(), shape12.start.size());

/// Whether the endpoint's interceptors have dealt with a header block.
Understood understood(const core::Exchange& exchange) {
    const core::Chain* chain = exchange.admission().route->chain.get();
    if (!chain) return {};
    return [&exchange, chain](Element block) { return chain->understands(exchange, block); };
}

class SoapBinding final : public core::Binding {
public:
    SoapBinding(const wsdl::Contract& contract, const SoapConfig& config)
        : contract_(contract), versions_(versionsOf(config)) {}

    bool claims(const core::RequestHead& head) const override { return head.method == "POST"; }
    std::string_view methods() const override { return "POST"; }

    Result<void> inspect(const core::RequestHead& head) const override {
        auto media = Media::of(head);
        if (!media) return std::move(media).error();
        return ok();
    }

    Result<void> read(core::Exchange& exchange) const override {
        auto media = Media::of(exchange.request().head);
        if (!media) return std::move(media).error();
        std::string memory;
        auto parsed = xml::parse(exchange.request().body, media->charset(memory), xml::Limits{}, exchange.tape());
        if (!parsed) return parsed;
        // Whoever refuses the envelope does so in its version.
        if (const auto version = versionOf(exchange.tape().root()); version && versions_.has(*version))
            exchange.variant = variantOf(*version);
        return ok();
    }
    bool hasEnvelopes() const override { return true; }

    Result<void> unwrap(core::Exchange& exchange) const override {
        const Element root = exchange.tape().root();
        auto version = versionOf(root);
        if (!version) return std::move(version).error();
        if (!versions_.has(*version)) return notAnswered(exchange, *version);

        auto envelope = openEnvelope(root, *version);
        if (!envelope) return std::move(envelope).error();
        if (auto checked = checkHeaders(envelope->header, *version, understood(exchange)); !checked) return checked;
        return dispatch(exchange, contract_, *envelope);
    }

    void prepare(core::Exchange& exchange) const override {
        core::AnswerDraft& draft = exchange.draft();
        draft.bytes.clear(headroom);
        draft.writer.begin(draft.bytes);
    }

    Result<void> finish(core::Exchange& exchange) const override {
        core::AnswerDraft& draft = exchange.draft();
        if (auto checked = draft.raw ? checkRawAnswer(draft) : draft.writer.finish(); !checked) {
            log::emit(AnswerMalformed, {{"request", exchange.id()},
                                        {"operation", exchange.operation()->name},
                                        {"reason", checked.error().message()}});
            return Error::internal("the service's answer is no XML: " + checked.error().message());
        }
        return ok();
    }

    Result<void> write(core::Exchange& exchange, core::WireAnswer& answer) const override {
        core::AnswerDraft& draft = exchange.draft();
        const VersionShape& shape = shapeOf(versionFor(exchange.request().head, &exchange));
        if (draft.headerBlocks.empty()) {
            draft.bytes.prepend(shape.start);
        } else {
            draft.bytes.prepend(bodyStart);
            draft.bytes.prepend(headerEnd);
            draft.bytes.prepend(draft.headerBlocks);
            draft.bytes.prepend(headerStart);
            draft.bytes.prepend(shape.envelopeStart());
        }
        draft.bytes.append(shape.end);
        answer.contentType = shape.contentType;
        answer.body = std::move(draft.bytes);
        answer.headers = std::move(draft.headers);
        return ok();
    }

    core::WireAnswer writeFault(const core::RequestHead& head, const core::Exchange* exchange, const core::Fault& fault,
                                std::string_view requestId, Buffer memory) const override;

private:
    /// The envelope's version; before it could be read, that of the media type.
    Version versionFor(const core::RequestHead& head, const core::Exchange* exchange) const;
    Result<void> notAnswered(core::Exchange& exchange, Version version) const;

    const wsdl::Contract& contract_;
    Versions versions_;
};

Version SoapBinding::versionFor(const core::RequestHead& head, const core::Exchange* exchange) const {
    if (exchange && exchange->variant)
        return exchange->variant == variantOf(Version::Soap12) ? Version::Soap12 : Version::Soap11;
    if (!versions_.soap12) return Version::Soap11;
    if (!versions_.soap11) return Version::Soap12;
    const auto media = Media::of(head);
    return media && media->soap12() ? Version::Soap12 : Version::Soap11;
}

Result<void> SoapBinding::notAnswered(core::Exchange& exchange, Version version) const {
    // Who speaks SOAP 1.1 alone is told so in SOAP 1.1 (SOAP 1.2 part 1, appendix A).
    if (version == Version::Soap11) exchange.variant = variantOf(version);
    const std::string spoken = version == Version::Soap12 ? "1.2" : "1.1",
                      known = version == Version::Soap12 ? "1.1" : "1.2";
    return Error(Error::Kind::VersionMismatch, "SOAP " + spoken + " is not answered here; send SOAP " + known);
}

core::WireAnswer SoapBinding::writeFault(const core::RequestHead& head, const core::Exchange* exchange,
                                         const core::Fault& fault, std::string_view requestId, Buffer memory) const {
    FaultAnswer answer;
    answer.version = versionFor(head, exchange);
    answer.supported = versions_;
    answer.requestId = requestId;
    if (fault.code == core::Fault::Code::MustUnderstand && exchange && exchange->variant) {
        const auto envelope = openEnvelope(exchange->tape().root(), answer.version);
        if (envelope)
            for (const Element each : mandatoryHeaders(envelope->header, answer.version, understood(*exchange)))
                answer.notUnderstood.emplace_back(each.uri(), each.local());
    }
    return answer.write(fault, std::move(memory));
}

}  // namespace

std::shared_ptr<const core::Binding> makeSoapBinding(const wsdl::Contract& contract, const SoapConfig& config) {
    return std::make_shared<SoapBinding>(contract, config);
}

}  // namespace postbus::soap
