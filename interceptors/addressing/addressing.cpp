#include "interceptors/addressing/addressing.hpp"

#include <string>
#include <utility>

#include "bindings/soap/envelope.hpp"
#include "interceptors/addressing/answer_headers.hpp"
#include "interceptors/addressing/judge.hpp"
#include "interceptors/addressing/problem.hpp"
#include "interceptors/addressing/properties.hpp"
#include "interceptors/addressing/repliers.hpp"

namespace postbus::addressing {
namespace {

using core::Fault;

/// The Header of an envelope of a version that is answered here; none: it has none, or is no such envelope.
Element headerOf(const core::Exchange& exchange) {
    if (exchange.variant == 0) return {};
    const Element root = exchange.tape().root(), first = root ? root.firstChild() : Element{};
    return first && first.is(root.uri(), "Header") ? first : Element{};
}

class Addressing final : public core::EnvelopeInterceptor {
public:
    Addressing(const wsdl::Contract& contract, const AddressingConfig& config, std::shared_ptr<AnswerSender> sender)
        : config_(config), judge_(contract, config), sender_(std::move(sender)) {}

    std::optional<Fault> onRequest(core::Exchange& exchange) const override {
        const Element header = headerOf(exchange);
        const soap::Version version = soap::versionOf(exchange.variant);
        const Edition* edition = header ? editionAmong(header, version) : nullptr;
        if (!edition) {
            if (config_.policy == Policy::Required && exchange.variant) return missing(version);
            return std::nullopt;
        }

        auto its = std::make_unique<Properties>();
        its->edition = edition;
        its->version = version;
        auto problem = read(header, *its);
        if (!problem) problem = judge_.objection(exchange, *its);
        if (problem) return refusal(*problem, *its);
        exchange.action = its->action;
        divert(exchange, *its);
        exchange.keep(this, std::move(its));
        return std::nullopt;
    }

    std::optional<Fault> onAnswer(core::Exchange& exchange, Fault* fault) const override {
        auto* its = static_cast<Properties*>(exchange.noteOf(this));
        if (!its) return std::nullopt;
        if (fault) makeUnavailable(*fault, *its->edition, its->version);
        its->answerAction = fault ? faultAction(*fault, *its->edition) : judge_.answerAction(exchange.operation());
        appendAnswerHeaders(fault ? fault->headerBlocks : exchange.draft().headerBlocks, *its,
                            fault ? its->faultTarget() : its->replyTo, its->answerAction);
        return std::nullopt;
    }

    bool understands(const core::Exchange& exchange, Element block) const override {
        const auto* its = static_cast<const Properties*>(exchange.noteOf(this));
        return its && block.uri() == its->edition->uri && isProperty(block.local());
    }

private:
    static std::string_view faultAction(const Fault& fault, const Edition& edition) {
        return fault.subcodeUri == edition.uri ? edition.faultAction : edition.soapFaultAction;
    }

    /// What is wrong with the addressing itself is told to the caller, wherever its faults were to go.
    static Fault refusal(const Problem& problem, Properties& its) {
        Fault fault = faultOf(problem, *its.edition, its.version);
        appendAnswerHeaders(fault.headerBlocks, its, {}, its.edition->faultAction);
        return fault;
    }

    static Fault missing(soap::Version version) {
        Properties none;
        none.edition = &edition10;
        none.version = version;
        return refusal({Problem::Kind::HeaderRequired, "Action", "this endpoint requires WS-Addressing headers"}, none);
    }

    void divert(core::Exchange& exchange, const Properties& its) const {
        core::Diversion diversion{replierFor(exchange, its, its.replyTo), replierFor(exchange, its, its.faultTarget())};
        if (diversion) exchange.divert(std::move(diversion));
    }

    std::shared_ptr<core::Replier> replierFor(const core::Exchange& exchange, const Properties& its,
                                              const EndpointReference& target) const {
        switch (judge_.wayTo(target, *its.edition)) {
            case Judge::Way::Nowhere:
                return nobody(exchange);
            case Judge::Way::Elsewhere:
                return sender_ ? somebody(exchange, its, target, sender_, config_.undelivered) : nullptr;
            default:
                return nullptr;
        }
    }

    const AddressingConfig config_;
    const Judge judge_;
    const std::shared_ptr<AnswerSender> sender_;
};

}  // namespace

std::shared_ptr<const core::EnvelopeInterceptor> makeAddressing(const wsdl::Contract& contract,
                                                                const AddressingConfig& config,
                                                                std::shared_ptr<AnswerSender> sender) {
    return std::make_shared<Addressing>(contract, config, std::move(sender));
}

}  // namespace postbus::addressing
