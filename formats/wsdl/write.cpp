#include "formats/wsdl/write.hpp"

#include "formats/wsdl/actions.hpp"
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
        if (addressed()) actions_ = actionsOf(contract);
    }

    std::string write() && {
        out_.open("wsdl:definitions", {{"name", contract_.implementationName() + "Service"},
                                       {"targetNamespace", contract_.ns},
                                       {"xmlns:tns", contract_.ns},
                                       {"xmlns:soap", options_.soap11 ? ns::soap : std::string_view{}},
                                       {"xmlns:soap12", options_.soap12 ? ns::soap12 : std::string_view{}},
                                       {"xmlns:wsdl", ns::wsdl},
                                       {"xmlns:wsp", addressed() ? ns::policy : std::string_view{}},
                                       {"xmlns:wsam", addressed() ? ns::addressing : std::string_view{}},
                                       {"xmlns:wsaw", addressed() ? ns::addressing2006 : std::string_view{}},
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
    using Use = AddressingPolicy::Use;
    bool addressed() const { return options_.addressing.use != Use::Silent; }
    /// Empty where the WSDL says nothing of addressing.
    std::string_view actionOf(const Operation& operation, bool answer) const {
        for (const OperationActions& each : actions_)
            if (each.operation == &operation) return answer ? each.out : each.in;
        return {};
    }
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
            out_.leaf("wsdl:input",
                      {{"name", each.name}, {"message", "tns:" + each.name}, {"wsam:Action", actionOf(each, false)}});
            if (hasOutput(each))
                out_.leaf("wsdl:output", {{"name", answerName(each)},
                                          {"message", "tns:" + answerName(each)},
                                          {"wsam:Action", actionOf(each, true)}});
            out_.close();
        }
        out_.close();
    }

    void body(const Flavour& flavour, std::string_view direction, const std::string& name) {
        out_.open(direction, {{"name", name}});
        out_.leaf(flavour.prefix + ":body", {{"use", "literal"}});
        out_.close();
    }

    /// As policy, and as the older element that many clients look for.
    void addressing() {
        if (!addressed()) return;
        const bool required = options_.addressing.use == Use::Required;
        out_.open("wsp:Policy");
        out_.open("wsam:Addressing", {{"wsp:Optional", required ? std::string_view{} : std::string_view("true")}});
        out_.open("wsp:Policy");
        if (options_.addressing.responses == AddressingPolicy::Responses::Anonymous)
            out_.leaf("wsam:AnonymousResponses");
        if (options_.addressing.responses == AddressingPolicy::Responses::NonAnonymous)
            out_.leaf("wsam:NonAnonymousResponses");
        out_.close();
        out_.close();
        out_.close();
        out_.leaf("wsaw:UsingAddressing", {{"wsdl:required", required ? "true" : "false"}});
    }

    void binding(const Flavour& flavour) {
        out_.open("wsdl:binding", {{"name", flavour.binding}, {"type", "tns:" + contract_.name}});
        addressing();
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
    std::vector<OperationActions> actions_;
    Markup out_;
};

}  // namespace

std::string write(const Contract& contract, const WriteOptions& options) {
    return Description(contract, options).write();
}

}  // namespace postbus::wsdl
