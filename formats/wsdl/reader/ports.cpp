#include <algorithm>
#include <map>
#include <set>

#include "formats/wsdl/namespaces.hpp"
#include "formats/wsdl/reader/loaded.hpp"
#include "formats/xml/chars.hpp"
#include "formats/xsd/reader/builtin.hpp"

namespace postbus::wsdl {
namespace {

constexpr std::size_t mostOperations = 10'000;  // of all ports
constexpr std::string_view soapOverHttp = "http://schemas.xmlsoap.org/soap/http";

std::string_view attributeOf(Element element, std::string_view name) {
    return element.attribute("", name).value_or(std::string_view{});
}

/// The child of either SOAP namespace.
Element soapChild(Element element, std::string_view local) {
    const Element old = element.child(ns::soap, local);
    return old ? old : element.child(ns::soap12, local);
}

Element named(Element parent, std::string_view uri, std::string_view local, std::string_view name) {
    for (Element each = parent.firstChild(); each; each = each.next())
        if (each.is(uri, local) && attributeOf(each, "name") == name) return each;
    return {};
}

bool holdsWord(std::string_view words, std::string_view word) {
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find_first_of(" \t\r\n", at), words.size());
        if (words.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

class Reader {
public:
    explicit Reader(Description& into) : into_(into) {}

    Result<void> read() {
        if (into_.documents->definitions.empty())
            return Error::invalid(into_.documents->all.front().location + ": a schema, no WSDL");
        for (const Spot& each : into_.documents->definitions) index(each);
        for (const Spot& each : into_.documents->definitions) {
            for (Element child = each.node.firstChild(); child; child = child.next()) {
                if (!child.is(ns::wsdl, "service")) continue;
                if (auto read = service({child, each.document}); !read) return read;
            }
        }
        return ok();
    }

private:
    using Index = std::map<xsd::Name, Spot>;

    void index(const Spot& definitions) {
        const std::string target(attributeOf(definitions.node, "targetNamespace"));
        for (Element each = definitions.node.firstChild(); each; each = each.next()) {
            Index* in = each.is(ns::wsdl, "message")    ? &messages_
                        : each.is(ns::wsdl, "portType") ? &portTypes_
                        : each.is(ns::wsdl, "binding")  ? &bindings_
                                                        : nullptr;
            if (in)
                in->emplace(xsd::Name{target, std::string(attributeOf(each, "name"))},
                            Spot{each, definitions.document});
        }
    }

    Result<xsd::Name> nameIn(const Spot& at, std::string_view attribute) const {
        const std::string_view text = xsd::trimmed(attributeOf(at.node, attribute));
        const std::size_t colon = text.find(':');
        const std::string_view prefix = text.substr(0, colon == std::string_view::npos ? 0 : colon);
        const std::string_view local = colon == std::string_view::npos ? text : text.substr(colon + 1);
        const auto uri = at.node.lookup(prefix);
        if (!xml::isNcName(local) || (!uri && !prefix.empty())) {
            std::string shown;
            xml::appendPrintable(shown, text, 200);
            return problemAt(at, std::string(attribute) + "=\"" + shown + "\" names nothing");
        }
        return xsd::Name{std::string(uri.value_or("")), std::string(local)};
    }

    Result<const Spot*> find(const Index& in, const Spot& at, std::string_view attribute) const {
        auto name = nameIn(at, attribute);
        if (!name) return std::move(name).error();
        const auto found = in.find(*name);
        if (found == in.end()) return problemAt(at, "there is no " + std::string(attribute) + ' ' + name->text());
        return &found->second;
    }

    Result<void> service(const Spot& at) {
        for (Element each = at.node.firstChild(); each; each = each.next()) {
            if (!each.is(ns::wsdl, "port")) continue;
            if (auto read = port({each, at.document}, attributeOf(at.node, "name")); !read) return read;
        }
        return ok();
    }

    Result<void> port(const Spot& at, std::string_view service) {
        auto binding = find(bindings_, at, "binding");
        if (!binding) return std::move(binding).error();
        const Spot& its = **binding;
        const Element soap = soapChild(its.node, "binding");
        const std::string_view transport = soap ? attributeOf(soap, "transport") : std::string_view{};
        // SOAP 1.2's WSDLs name the transport of 1.1, or one of their own.
        const bool http = soap && (transport.empty() || transport == soapOverHttp ||
                                   transport.find("soap/bindings/HTTP") != std::string_view::npos);
        if (!http) {
            into_.otherPorts.emplace_back(attributeOf(at.node, "name"));
            return ok();
        }
        Port port;
        port.service = service;
        port.name = attributeOf(at.node, "name");
        port.soap = soap.uri() == ns::soap12 ? Soap::V12 : Soap::V11;
        if (const Element address = soapChild(at.node, "address")) port.address = attributeOf(address, "location");
        auto type = find(portTypes_, its, "type");
        if (!type) return std::move(type).error();
        for (Element each = its.node.firstChild(); each; each = each.next()) {
            if (!each.is(ns::wsdl, "operation")) continue;
            if (++operations_ > mostOperations)
                return problemAt({each, its.document}, "more than " + std::to_string(mostOperations) + " operations");
            auto operation = bound({each, its.document}, **type, attributeOf(soap, "style"));
            if (!operation) return std::move(operation).error();
            port.operations.push_back(*std::move(operation));
        }
        into_.ports.push_back(std::move(port));
        return ok();
    }

    Result<PortOperation> bound(const Spot& at, const Spot& portType, std::string_view bindingStyle) {
        PortOperation its;
        its.name = attributeOf(at.node, "name");
        const Element abstract = named(portType.node, ns::wsdl, "operation", its.name);
        if (!abstract) return problemAt(at, "the port type has no operation '" + its.name + "'");
        if (const Element doc = abstract.child(ns::wsdl, "documentation")) its.doc = xsd::trimmed(doc.text());
        const Element soap = soapChild(at.node, "operation");
        if (soap) its.soapAction = attributeOf(soap, "soapAction");
        const std::string_view own = soap ? attributeOf(soap, "style") : std::string_view{};
        if ((own.empty() ? bindingStyle : own) == "rpc") its.refusal = "it is of style rpc";
        its.oneWay = !abstract.child(ns::wsdl, "output");
        if (!abstract.child(ns::wsdl, "input")) its.refusal = "it has no input: the service would have to begin";
        if (!its.refusal.empty()) return its;
        for (const std::string_view way : {"input", "output"}) {
            const Spot message{abstract.child(ns::wsdl, way), portType.document};
            if (!message.node) continue;
            auto read = parts(at, way, message, its);
            if (!read) return std::move(read).error();
        }
        return its;
    }

    /// The parts that a binding's input or output puts into the Body, and the headers.
    Result<void> parts(const Spot& operation, std::string_view way, const Spot& reference, PortOperation& into) {
        auto message = find(messages_, reference, "message");
        if (!message) return std::move(message).error();
        const Element bound = operation.node.child(ns::wsdl, way);
        const Element body = bound ? soapChild(bound, "body") : Element{};
        if (body && attributeOf(body, "use") == "encoded") into.refusal = "its messages are encoded";
        std::set<std::string, std::less<>> inHeader;  // parts of this very message
        if (bound) {
            auto read = headers({bound, operation.document}, (*message)->node, inHeader, into);
            if (!read) return read;
        }
        const auto chosen = body ? body.attribute("", "parts") : std::nullopt;
        for (Element each = (*message)->node.firstChild(); each; each = each.next()) {
            if (!each.is(ns::wsdl, "part")) continue;
            const std::string_view name = attributeOf(each, "name");
            if (chosen ? !holdsWord(*chosen, name) : inHeader.contains(name)) continue;
            Part part{std::string(name), {}};
            if (attributeOf(each, "element").empty()) {
                into.refusal = "its part '" + part.name + "' has a type and no element";
                continue;
            }
            auto element = nameIn({each, (*message)->document}, "element");
            if (!element) return std::move(element).error();
            part.element = *std::move(element);
            (way == "input" ? into.in : into.out).push_back(std::move(part));
        }
        return ok();
    }

    /// Header blocks may be parts of the operation's message or of another one.
    Result<void> headers(const Spot& bound, Element own, std::set<std::string, std::less<>>& inHeader,
                         PortOperation& into) const {
        for (Element each = bound.node.firstChild(); each; each = each.next()) {
            if (!each.is(ns::soap, "header") && !each.is(ns::soap12, "header")) continue;
            auto message = find(messages_, {each, bound.document}, "message");
            if (!message) return std::move(message).error();
            const std::string_view name = attributeOf(each, "part");
            if ((*message)->node.index() == own.index() && (*message)->node.tape() == own.tape())
                inHeader.emplace(name);
            const Element part = named((*message)->node, ns::wsdl, "part", name);
            if (!part || bound.node.local() != "input" || attributeOf(part, "element").empty()) continue;
            auto element = nameIn({part, (*message)->document}, "element");
            if (!element) return std::move(element).error();
            into.inHeaders.push_back(element->text());
        }
        return ok();
    }

    Description& into_;
    Index messages_, portTypes_, bindings_;
    std::size_t operations_ = 0;
};

}  // namespace

Result<void> readPorts(Description& description) { return Reader(description).read(); }

}  // namespace postbus::wsdl
