#include "cli/call/choose.hpp"

#include <algorithm>

#include "cli/call/failure.hpp"
#include "config/suggest.hpp"

namespace postbus::cli {

void checkPort(const wsdl::Description& description, const CallArguments& call) {
    std::vector<std::string_view> names;
    for (const wsdl::Port& each : description.ports) names.push_back(each.name);
    if (names.empty()) {
        std::string text = "the WSDL has no port for SOAP over HTTP";
        for (const std::string& each : description.otherPorts) text += "; " + each + " is for something else";
        throw CallFailure(exitInvalid, text);
    }
    if (call.port.empty()) return;
    for (const std::string_view each : names)
        if (each == call.port) return;
    throw CallFailure(exitUsage, "the WSDL has no port '" + call.port + "'" + config::remedy(call.port, names));
}

Choice choose(const wsdl::Description& description, const CallArguments& call) {
    checkPort(description, call);
    const wsdl::Soap wish = call.soap.value_or(wsdl::Soap::V11);
    Choice best;
    std::vector<std::string_view> operations;
    for (const wsdl::Port& port : description.ports) {
        if (!call.port.empty() && port.name != call.port) continue;
        for (const auto& each : port.operations)
            if (std::find(operations.begin(), operations.end(), each.name) == operations.end())
                operations.push_back(each.name);
        const wsdl::PortOperation* operation = port.find(call.operation);
        const bool better = !best.port || (best.port->soap != wish && port.soap == wish);
        if (operation && better) best = {&port, operation};
    }
    if (best.port) return best;
    throw CallFailure(exitUsage, "the service has no operation '" + call.operation + "'" +
                                     (operations.empty() ? std::string() : config::remedy(call.operation, operations)));
}

}  // namespace postbus::cli
