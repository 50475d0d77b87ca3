#pragma once

#include "bindings/soap/soap_binding.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_endpoint.hpp"

namespace postbus::test {

/// An endpoint with the two bindings of a SOAP path, as the daemon wires it.
struct SoapRig {
    explicit SoapRig(std::shared_ptr<core::Endpoint> its = helloEndpoint(), const soap::SoapConfig& config = {})
        : endpoint(std::move(its)),
          caller(endpoint, {soap::makeWsdlBinding(endpoint->contract(), config),
                            soap::makeSoapBinding(endpoint->contract(), config)}) {}
    explicit SoapRig(wsdl::Contract contract, FunctionEndpoint::Handler handler = sayHi,
                     const soap::SoapConfig& config = {})
        : SoapRig(std::make_shared<FunctionEndpoint>(std::move(contract), std::move(handler)), config) {}

    Answer post(std::string body, std::string contentType = "text/xml; charset=utf-8",
                std::vector<std::pair<std::string, std::string>> headers = {}) {
        Request request;
        request.body = std::move(body);
        request.contentType = std::move(contentType);
        request.headers = std::move(headers);
        return caller.call(request);
    }
    Answer get(std::string query, std::string host = "localhost:8181", std::string method = "GET") {
        Request request;
        request.method = std::move(method);
        request.query = std::move(query);
        request.host = std::move(host);
        request.contentType.clear();
        return caller.call(request);
    }

    std::shared_ptr<core::Endpoint> endpoint;
    PortCaller caller;
};

inline const std::string good11 = envelope(soap11, sayHiTo("Ann")), good12 = envelope(soap12, sayHiTo("Ann"));
inline const std::string type12 = "application/soap+xml; charset=utf-8";

/// A fault, read as a client of its version reads it.
struct ReadFault {
    std::string version, code, reason, detail;
    std::vector<std::string> order;  ///< local names of the Fault's children

    explicit ReadFault(const Answer& answer) {
        const Document document(answer.body);
        const Element root = document.root();
        version = root.uri() == soap11 ? "1.1" : root.uri() == soap12 ? "1.2" : "?";
        const Element body = root.child(root.uri(), "Body");
        const Element fault = body ? body.child(root.uri(), "Fault") : Element{};
        if (!fault) {
            code = "(no fault)";
            return;
        }
        for (Element each = fault.firstChild(); each; each = each.next()) order.emplace_back(each.local());
        const bool later = version == "1.2";
        const Element value = later ? document.find("Value") : fault.child("", "faultcode");
        code = resolved(value, root.uri());
        reason = later ? document.text("Text") : fault.child("", "faultstring").text();
        const Element its = later ? fault.child(soap12, "Detail") : fault.child("", "detail");
        if (its) detail = infoset(its);
    }

private:
    /// The local name, when the text is a QName that its own scope resolves to the envelope's namespace.
    static std::string resolved(Element value, std::string_view uri) {
        if (!value) return "(none)";
        const std::string text = value.text();
        const std::size_t colon = text.find(':');
        if (colon == std::string::npos) return "(no prefix) " + text;
        const auto bound = value.lookup(std::string_view(text).substr(0, colon));
        return bound && *bound == uri ? text.substr(colon + 1) : "(unbound) " + text;
    }
};

}  // namespace postbus::test
