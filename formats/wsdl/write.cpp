#include "formats/wsdl/write.hpp"

#include "formats/wsdl/namespaces.hpp"
#include "formats/xsd/markup.hpp"
#include "formats/xsd/schema.hpp"

namespace postbus::wsdl {
namespace {

using xsd::Markup;

/// One of the two bindings: SOAP 1.1 or 1.2.
struct Flavour {
    std::string prefix, binding, port;
    bool soap12;
};

class Description {
public:
    Description(const Contract& contract, const WriteOptions& options) : contract_(contract), options_(options) {
        const std::string& name = contract.implementationName();
        if (options.soap11) flavours_.push_back({"soap", name + "ServiceSoapBinding", name + "Port", false});
        if (options.soap12) flavours_.push_back({"soap12", name + "ServiceSoap12Binding", name + "PortSoap12", true});
    }

    std::string write() && {
        out_.open("wsdl:definitions", {{"name", contract_.implementationName() + "Service"},
                                       {"targetNamespace", contract_.ns},
                                       {"xmlns:tns", contract_.ns},
                                       {"xmlns:soap", options_.soap11 ? ns::soap : std::string_view{}},
                                       {"xmlns:soap12", options_.soap12 ? ns::soap12 : std::string_view{}},
                                       {"xmlns:wsdl", ns::wsdl},
                                       {"xmlns:xs", ns::schema}});
        documentation();
        types();
        for (const Operation& each : contract_.operations) messages(each);
        portType();
        for (const Flavour& each : flavours_) binding(each);
        service();
        out_.close();
        return std::move(out_).take();
    }

private:
    static bool hasOutput(const Operation& operation) {
        return operation.mep == POSTBUS_MEP_IN_OUT || operation.mep == POSTBUS_MEP_IN_OPTIONAL_OUT;
    }
    static std::string answerName(const Operation& operation) { return operation.name + "Response"; }

    void documentation() {
        std::string text = contract_.doc;
        for (const Operation& each : contract_.operations) {
            if (!each.any) continue;
            if (!text.empty()) text += '\n';
            text += "This service takes messages of every kind, not only those that are described here.";
        }
        if (!text.empty()) out_.element("wsdl:documentation", text);
    }

    void types() {
        xsd::Schema schema;
        for (const Operation& each : contract_.operations) {
            if (each.any) continue;
            if (!each.inElement.empty()) schema.element(each.inElement, each.in);
            if (hasOutput(each) && !each.outElement.empty()) schema.element(each.outElement, each.out);
        }
        out_.open("wsdl:types");
        schema.write(out_, contract_.ns);
        out_.close();
    }

    void message(const std::string& name, const std::string& element) {
        if (element.empty()) return out_.leaf("wsdl:message", {{"name", name}});
        out_.open("wsdl:message", {{"name", name}});
        out_.leaf("wsdl:part", {{"name", "parameters"}, {"element", "tns:" + element}});
        out_.close();
    }

    void messages(const Operation& operation) {
        if (operation.any) return;
        message(operation.name, operation.inElement);
        if (hasOutput(operation)) message(answerName(operation), operation.outElement);
    }

    void portType() {
        out_.open("wsdl:portType", {{"name", contract_.name}});
        for (const Operation& each : contract_.operations) {
            if (each.any) continue;
            out_.open("wsdl:operation", {{"name", each.name}});
            if (!each.doc.empty()) out_.element("wsdl:documentation", each.doc);
            out_.leaf("wsdl:input", {{"name", each.name}, {"message", "tns:" + each.name}});
            if (hasOutput(each))
                out_.leaf("wsdl:output", {{"name", answerName(each)}, {"message", "tns:" + answerName(each)}});
            out_.close();
        }
        out_.close();
    }

    void body(const Flavour& flavour, std::string_view direction, const std::string& name) {
        out_.open(direction, {{"name", name}});
        out_.leaf(flavour.prefix + ":body", {{"use", "literal"}});
        out_.close();
    }

    void binding(const Flavour& flavour) {
        out_.open("wsdl:binding", {{"name", flavour.binding}, {"type", "tns:" + contract_.name}});
        out_.leaf(flavour.prefix + ":binding",
                  {{"style", "document"}, {"transport", "http://schemas.xmlsoap.org/soap/http"}});
        for (const Operation& each : contract_.operations) {
            if (each.any) continue;
            const bool actionless = flavour.soap12 && each.soapAction.empty();
            out_.open("wsdl:operation", {{"name", each.name}});
            out_.leaf(flavour.prefix + ":operation",
                      {{"soapAction", each.soapAction},
                       {"soapActionRequired", actionless ? std::string_view("false") : std::string_view{}},
                       {"style", "document"}});
            body(flavour, "wsdl:input", each.name);
            if (hasOutput(each)) body(flavour, "wsdl:output", answerName(each));
            out_.close();
        }
        out_.close();
    }

    void service() {
        out_.open("wsdl:service", {{"name", contract_.implementationName() + "Service"}});
        for (const Flavour& each : flavours_) {
            out_.open("wsdl:port", {{"name", each.port}, {"binding", "tns:" + each.binding}});
            out_.leaf(each.prefix + ":address", {{"location", options_.address}});
            out_.close();
        }
        out_.close();
    }

    const Contract& contract_;
    const WriteOptions& options_;
    std::vector<Flavour> flavours_;
    Markup out_;
};

}  // namespace

std::string write(const Contract& contract, const WriteOptions& options) {
    return Description(contract, options).write();
}

}  // namespace postbus::wsdl
