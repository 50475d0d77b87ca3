#include "formats/wsdl/actions.hpp"

#include <postbus/element.hpp>

#include "formats/wsdl/namespaces.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::wsdl {
namespace {

/// What a portType says of one message of an operation.
struct MessageNote {
    std::string action, name;
};

MessageNote noteOf(Element message) {
    MessageNote note;
    if (!message) return note;
    note.name = message.attribute("", "name").value_or("");
    for (const std::string_view uri : {ns::addressing, ns::addressing2006, ns::addressing2004})
        if (note.action.empty()) note.action = message.attribute(uri, "Action").value_or("");
    return note;
}

/// The operation of that name in the document's portType, which is the contract's, or the only one.
Element operationIn(Element definitions, const Contract& contract, std::string_view name) {
    Element wanted;
    for (Element each = definitions.firstChild(); each; each = each.next()) {
        if (!each.is(ns::wsdl, "portType")) continue;
        if (!wanted || each.attribute("", "name") == contract.name) wanted = each;
    }
    if (!wanted) return {};
    for (Element each = wanted.firstChild(); each; each = each.next())
        if (each.is(ns::wsdl, "operation") && each.attribute("", "name") == name) return each;
    return {};
}

/// Section 4.4.4: TARGETNAMESPACE/PORTTYPE/NAME, with colons below urn:.
std::string patternOf(const Contract& contract, std::string_view name) {
    const char delimiter = contract.ns.starts_with("urn:") ? ':' : '/';
    std::string action = contract.ns;
    if (action.empty() || action.back() != delimiter) action += delimiter;
    action += contract.name;
    action += delimiter;
    return action += name;
}

}  // namespace

std::vector<OperationActions> actionsOf(const Contract& contract) {
    // Served contracts were found well-formed when they came.
    xml::Tape tape;
    const bool parsed = !contract.document.empty() && xml::parse(contract.document, "", xml::Limits{}, tape);
    std::vector<OperationActions> all;
    for (const Operation& each : contract.operations) {
        if (each.any) continue;
        const bool answers = each.mep == POSTBUS_MEP_IN_OUT || each.mep == POSTBUS_MEP_IN_OPTIONAL_OUT;
        // As write() names them; a document that does not is read by WSDL 1.1 section 2.4.5.
        MessageNote in{{}, each.name}, out{{}, each.name + "Response"};
        if (const Element its = parsed ? operationIn(tape.root(), contract, each.name) : Element{}) {
            in = noteOf(its.child(ns::wsdl, "input"));
            out = noteOf(its.child(ns::wsdl, "output"));
            if (in.name.empty()) in.name = answers ? each.name + "Request" : each.name;
            if (out.name.empty()) out.name = each.name + "Response";
        }
        OperationActions& its = all.emplace_back();
        its.operation = &each;
        its.named = !in.action.empty() || !each.soapAction.empty();
        its.in = !in.action.empty() ? in.action : its.named ? each.soapAction : patternOf(contract, in.name);
        its.out = !out.action.empty() ? out.action : patternOf(contract, out.name);
    }
    return all;
}

}  // namespace postbus::wsdl
