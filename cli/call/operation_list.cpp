#include "cli/call/operation_list.hpp"

#include "cli/call/parameters.hpp"
#include "cli/table.hpp"

namespace postbus::cli {
namespace {

const char* versionText(wsdl::Soap soap) { return soap == wsdl::Soap::V11 ? "1.1" : "1.2"; }

/// What there is to say about a parameter behind its key.
std::string remarkOf(const Parameter& parameter) {
    std::string text = parameter.type;
    const auto add = [&](const std::string& more) { (text += text.empty() ? "" : ", ") += more; };
    if (!parameter.values.empty()) {
        std::string values;
        for (std::size_t i = 0; i < parameter.values.size() && i < 12; ++i)
            values += (i ? "|" : "") + parameter.values[i];
        add(values + (parameter.values.size() > 12 ? "|..." : ""));
    }
    if (parameter.repeated) add("repeated");
    if (parameter.nillable) add("nillable");
    if (!parameter.required && !parameter.repeated) add("optional");
    if (parameter.repeated && parameter.required) add("at least one");
    return text;
}

std::string firstLine(const std::string& text) { return printable(text.substr(0, text.find('\n'))); }

/// Calls `visit` for each operation that is asked for.
template <class Visit>
void forEachOperation(const wsdl::Port& port, const std::string& wanted, Visit&& visit) {
    for (const wsdl::PortOperation& each : port.operations)
        if (wanted.empty() || each.name == wanted) visit(each);
}

std::string operationText(wsdl::Description& description, const wsdl::PortOperation& operation) {
    std::string text =
        "  " + printable(operation.name) + (operation.oneWay ? "  (one way: there is no answer)" : "") + '\n';
    if (!operation.doc.empty()) text += "    " + firstLine(operation.doc) + '\n';
    if (!operation.refusal.empty()) return text + "    can't be called with KEY=VALUE: " + operation.refusal + '\n';
    const auto elements = elementsOf(description.schemas, operation.in);
    if (!elements) return text + "    can't be called with KEY=VALUE: " + printable(elements.error().message()) + '\n';
    for (const std::string& each : operation.inHeaders)
        text += "    with the header " + printable(each) + " (--soap-header)\n";
    const Parameters parameters = parametersOf(description.schemas, *elements);
    std::size_t width = 0;
    for (const Parameter& each : parameters.all) width = std::max(width, std::min<std::size_t>(each.key.size(), 40));
    for (const Parameter& each : parameters.all) {
        std::string line = "    " + printable(each.key);
        line.append(4 + width > line.size() ? 4 + width - line.size() : 0, ' ')
            .append("  ")
            .append(printable(remarkOf(each)));
        if (!each.doc.empty()) line += "; " + firstLine(each.doc);
        while (line.ends_with(' ')) line.pop_back();
        text += line + '\n';
    }
    return parameters.cut ? text + "    ... and more\n" : text;
}

void operationJson(json::Writer& json, wsdl::Description& description, const wsdl::PortOperation& operation) {
    json.member("name", operation.name);
    json.member("doc", operation.doc);
    json.member("oneWay", operation.oneWay);
    json.member("soapAction", operation.soapAction);
    const auto elements = elementsOf(description.schemas, operation.in);
    std::string refusal = operation.refusal;
    if (refusal.empty() && !elements) refusal = elements.error().message();
    json.member("refusal", refusal);
    json.array("headers", [&] {
        for (const std::string& each : operation.inHeaders) json.value(each);
    });
    const Parameters parameters = refusal.empty() ? parametersOf(description.schemas, *elements) : Parameters{};
    json.member("complete", !parameters.cut);
    json.array("parameters", [&] {
        for (const Parameter& each : parameters.all)
            json.object([&] {
                json.member("key", each.key);
                json.member("type", each.type);
                json.member("required", each.required);
                json.member("repeated", each.repeated);
                json.member("nillable", each.nillable);
                json.member("doc", each.doc);
                json.array("values", [&] {
                    for (const std::string& value : each.values) json.value(value);
                });
            });
    });
}

}  // namespace

Result<std::vector<const xsd::ElementDeclaration*>> elementsOf(xsd::SchemaSet& schemas,
                                                               const std::vector<wsdl::Part>& parts) {
    std::vector<const xsd::ElementDeclaration*> elements;
    for (const wsdl::Part& each : parts) {
        auto element = schemas.element(each.element);
        if (!element) return std::move(element).error();
        if (!(*element)->type->problem.empty()) return Error::invalid((*element)->type->problem);
        elements.push_back(*element);
    }
    return elements;
}

std::string listText(wsdl::Description& description, const std::string& port, const std::string& operation) {
    std::string text;
    for (const wsdl::Port& each : description.ports) {
        if (!port.empty() && each.name != port) continue;
        text += printable(each.name) + " (" + printable(each.service) + "), SOAP " + versionText(each.soap) + ", " +
                printable(each.address) + '\n';
        forEachOperation(each, operation,
                         [&](const wsdl::PortOperation& its) { text += operationText(description, its); });
    }
    return text;
}

void listJson(json::Writer& json, wsdl::Description& description, const std::string& port,
              const std::string& operation) {
    json.object([&] {
        json.array("ports", [&] {
            for (const wsdl::Port& each : description.ports) {
                if (!port.empty() && each.name != port) continue;
                json.object([&] {
                    json.member("name", each.name);
                    json.member("service", each.service);
                    json.member("soap", versionText(each.soap));
                    json.member("address", each.address);
                    json.array("operations", [&] {
                        forEachOperation(each, operation, [&](const wsdl::PortOperation& its) {
                            json.object([&] { operationJson(json, description, its); });
                        });
                    });
                });
            }
        });
    });
}

}  // namespace postbus::cli
