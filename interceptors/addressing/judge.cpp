#include "interceptors/addressing/judge.hpp"

#include <algorithm>
#include <string>

#include "bindings/soap/envelope.hpp"
#include "bindings/soap/media.hpp"

namespace postbus::addressing {
namespace {

using Kind = Problem::Kind;

bool mayAnswer(const wsdl::Operation* operation) {
    return !operation || operation->mep == POSTBUS_MEP_IN_OUT || operation->mep == POSTBUS_MEP_IN_OPTIONAL_OUT;
}

bool mayFault(const wsdl::Operation* operation) { return !operation || operation->mep != POSTBUS_MEP_IN_ONLY; }

Problem required(std::string_view header, std::string reason) {
    return {Kind::HeaderRequired, header, std::move(reason)};
}

/// SOAP Binding section 4.2: the transport's action is that of the envelope, or none.
std::optional<Problem> checkTransportAction(const core::Exchange& exchange, std::string_view action) {
    const auto media = soap::Media::of(exchange.request().head);
    if (!media || action.empty()) return std::nullopt;
    std::string memory;
    const std::string_view transport = media->action(memory);
    if (transport.empty() || transport == action) return std::nullopt;
    return Problem{
        Kind::ActionMismatch, "Action",
        "the SOAPAction \"" + std::string(transport) + "\" is not the wsa:Action \"" + std::string(action) + "\"",
        std::string(action), std::string(transport)};
}

}  // namespace

const wsdl::Operation* Judge::operationOf(const core::Exchange& exchange, std::string_view action) const {
    const Element root = exchange.tape().root();
    const Element body = root ? root.child(root.uri(), "Body") : Element{};
    const Element first = body ? body.firstChild() : Element{};
    if (first) return contract_.find(first.uri(), first.local());
    const auto at = std::find_if(actions_.begin(), actions_.end(), [&](const auto& each) { return each.in == action; });
    return at == actions_.end() ? nullptr : at->operation;
}

std::optional<Problem> Judge::objection(const core::Exchange& exchange, const Properties& its) const {
    if (!its.hasAction) return required("Action", "the message has WS-Addressing headers, but no Action among them");
    if (!its.edition->none.empty() && its.to == its.edition->none)
        return Problem{Kind::DestinationUnreachable, "To", "a message to the address none is for nobody",
                       std::string(its.to)};
    const wsdl::Operation* operation = operationOf(exchange, its.action);
    if (auto bad = checkAction(exchange, its, operation)) return bad;
    return checkResponses(its, operation);
}

/// The action has to be the operation's where the contract names one, or the WSDL does by the policy. Else any will do:
/// the payload says what is wanted. One of a message whose payload is not known has to be known itself.
std::optional<Problem> Judge::checkAction(const core::Exchange& exchange, const Properties& its,
                                          const wsdl::Operation* operation) const {
    if (auto bad = checkTransportAction(exchange, its.action)) return bad;
    if (its.action.empty() || (operation && operation->any)) return std::nullopt;
    const bool advertised = config_.policy == Policy::Optional || config_.policy == Policy::Required;
    constexpr std::size_t most = 5;
    std::string known;
    std::size_t count = 0;
    for (const wsdl::OperationActions& each : actions_) {
        if (operation && each.operation != operation) continue;
        if (each.in == its.action || (operation && !each.named && !advertised)) return std::nullopt;
        if (count++ < most) (known += known.empty() ? "" : ", ") += each.in;
    }
    return Problem{Kind::ActionNotSupported, "Action",
                   "the action \"" + std::string(its.action) + "\" is not supported here; " +
                       (operation ? "this payload's is " : "supported are ") + known +
                       (count > most ? " and more" : ""),
                   std::string(its.action)};
}

std::optional<Problem> Judge::checkResponses(const Properties& its, const wsdl::Operation* operation) const {
    const Edition& edition = *its.edition;
    if (mayAnswer(operation)) {
        if (auto bad = checkTarget(its.replyTo, edition)) return bad;
        const Way way = wayTo(its.replyTo, edition);
        if (way == Way::Elsewhere && its.messageId.empty())
            return required("MessageID", "an answer that goes elsewhere needs a MessageID to relate to");
        if (config_.responses == Responses::NonAnonymous && way == Way::Caller)
            return Problem{Kind::OnlyNonAnonymousAddressSupported, "ReplyTo",
                           "answers of this endpoint go to an address of their own; name it in ReplyTo"};
    }
    if (mayFault(operation) && its.faultTo) return checkTarget(its.faultTo, edition);
    return std::nullopt;
}

std::optional<Problem> Judge::checkTarget(const EndpointReference& target, const Edition& edition) const {
    if (wayTo(target, edition) != Way::Refused) return std::nullopt;
    const bool none = allowed_.empty() || config_.responses == Responses::Anonymous;
    const std::string header(target.element.local());
    if (none)
        return Problem{Kind::OnlyAnonymousAddressSupported, target.element.local(),
                       header + ": this endpoint answers on the caller's own connection only"};
    return Problem{Kind::InvalidAddress, target.element.local(),
                   header + ": this endpoint sends no answers to " + std::string(target.address)};
}

Judge::Way Judge::wayTo(const EndpointReference& target, const Edition& edition) const {
    if (!target || target.address == edition.anonymous) return Way::Caller;
    if (!edition.none.empty() && target.address == edition.none) return Way::Nowhere;
    if (config_.responses == Responses::Anonymous) return Way::Refused;
    return allowed_.has(target.address) ? Way::Elsewhere : Way::Refused;
}

std::string_view Judge::answerAction(const wsdl::Operation* operation) const {
    for (const wsdl::OperationActions& each : actions_)
        if (each.operation == operation) return each.out;
    return {};
}

}  // namespace postbus::addressing
