#include "bindings/soap/dispatch.hpp"

#include <string>
#include <string_view>

#include "bindings/soap/media.hpp"

namespace postbus::soap {
namespace {

/// The request's action; looked for only where it matters. One that an interceptor has found in the envelope goes
/// before the transport's.
std::string_view actionOf(const core::Exchange& exchange, std::string& memory) {
    if (!exchange.action.empty()) return exchange.action;
    const auto media = Media::of(exchange.request().head);
    return media ? media->action(memory) : std::string_view{};
}

std::string hint(std::string_view action) {
    return action.empty() ? std::string() : " (SOAPAction \"" + std::string(action) + "\")";
}

/// What the caller may have meant: the namespace, or where that is right the names.
std::string known(const wsdl::Contract& contract, Element first) {
    if (first.uri() != contract.ns) return "; its operations are of namespace '" + contract.ns + "'";
    constexpr std::size_t most = 10;
    std::string names;
    for (std::size_t i = 0; i < contract.operations.size() && i < most; ++i) {
        const std::string& name = contract.operations[i].inElement;
        if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
    }
    if (names.empty()) return {};
    return "; it has " + names + (contract.operations.size() > most ? " and more" : "");
}

Error unknown(const wsdl::Contract& contract, Element first, std::string_view action) {
    return Error::invalid("service " + contract.name + " has no operation for element " + nameOf(first) + hint(action) +
                          known(contract, first));
}

const wsdl::Operation* findWithoutElement(const wsdl::Contract& contract, std::string_view action) {
    const wsdl::Operation* any = nullptr;
    for (const wsdl::Operation& each : contract.operations) {
        if (each.any)
            any = &each;
        else if (each.inElement.empty() && !each.soapAction.empty() && each.soapAction == action)
            return &each;
    }
    return any;
}

Result<void> dispatchEmpty(core::Exchange& exchange, const wsdl::Contract& contract, Element body) {
    std::string memory;
    const std::string_view action = actionOf(exchange, memory);
    const wsdl::Operation* operation = findWithoutElement(contract, action);
    if (!operation)
        return Error::invalid("SOAP envelope: the Body is empty: no element names an operation" + hint(action) +
                              lineOf(body));
    exchange.identify(*operation, POSTBUS_NO_NODE, body.index());
    return ok();
}

}  // namespace

Result<void> dispatch(core::Exchange& exchange, const wsdl::Contract& contract, const Envelope& envelope) {
    const Element body = envelope.body, first = body.firstChild();
    if (!first && !holdsText(body)) return dispatchEmpty(exchange, contract, body);
    if (!first) return Error::invalid("SOAP envelope: the Body holds text instead of an element" + lineOf(body));

    std::string memory;
    const wsdl::Operation* operation = contract.find(first.uri(), first.local());
    if (!operation) return unknown(contract, first, actionOf(exchange, memory));
    if (!operation->any) {
        if (const Element second = first.next())
            return Error::invalid("SOAP envelope: the Body holds " + nameOf(second) + " behind " + nameOf(first) +
                                  "; a document/literal message is one element" + lineOf(second));
        if (holdsText(body))
            return Error::invalid("SOAP envelope: there is text beside the Body's element" + lineOf(body));
    }
    // Whoever has found an action in the envelope has checked it.
    if (!operation->soapAction.empty() && exchange.action.empty()) {
        const std::string_view action = actionOf(exchange, memory);
        if (!action.empty() && action != operation->soapAction)
            return Error::invalid("the action \"" + std::string(action) + "\" contradicts element " + nameOf(first) +
                                  ", whose action is \"" + operation->soapAction + "\"");
    }
    exchange.identify(*operation, first.index(), body.index());
    return ok();
}

}  // namespace postbus::soap
