#pragma once

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/soap/soap_binding.hpp"
#include "interceptors/addressing/addressing.hpp"
#include "tests/support/document.hpp"
#include "tests/support/hello_endpoint.hpp"

namespace postbus::test {

inline const std::string wsa10 = "http://www.w3.org/2005/08/addressing",
                         wsa2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing";
inline const std::string anonymous10 = wsa10 + "/anonymous", none10 = wsa10 + "/none",
                         anonymous2004 = wsa2004 + "/role/anonymous";
inline const std::string requestId = "urn:uuid:00000000-0000-4000-8000-000000000001";

/// A header block of 1.0, or of `ns`.
inline std::string block(std::string_view name, std::string_view value, std::string_view ns = wsa10,
                         std::string_view attributes = {}) {
    return "<w:" + std::string(name) + " xmlns:w=\"" + std::string(ns) + "\" " + std::string(attributes) + ">" +
           std::string(value) + "</w:" + std::string(name) + ">";
}
inline std::string reference(std::string_view name, std::string_view address, std::string_view ns = wsa10,
                             std::string_view more = {}) {
    return block(name, "<w:Address>" + std::string(address) + "</w:Address>" + std::string(more), ns);
}
/// What most requests begin with.
inline std::string usual(std::string_view ns = wsa10) {
    return block("Action", "urn:example:sayHi", ns) + block("MessageID", requestId, ns);
}

/// Remembers what it was to send; fails where the test says so.
class RecordingSender : public addressing::AnswerSender {
public:
    struct Sent {
        std::string address, contentType, action, relatesTo, body;
        bool isFault;
    };
    void send(addressing::SentAnswer&& answer, Done done) override {
        sent.push_back(kept(answer));
        done(trouble.empty() ? ok() : Result<void>(Error(Error::Kind::Unavailable, trouble)));
    }
    void keep(std::string_view name, addressing::SentAnswer&& answer, std::string_view reason, Done done) override {
        keptAnswers.push_back(kept(answer));
        queue = name;
        why = reason;
        done(ok());
    }
    std::vector<Sent> sent, keptAnswers;
    std::string trouble, queue, why;

private:
    static Sent kept(const addressing::SentAnswer& answer) {
        return {answer.address,
                std::string(answer.contentType),
                std::string(answer.action),
                std::string(answer.relatesTo),
                std::string(answer.body.view()),
                answer.isFault};
    }
};

/// HelloWorld behind SOAP with addressing, as the daemon wires it.
struct AddressingRig {
    explicit AddressingRig(const addressing::AddressingConfig& config = {}, wsdl::Contract contract = helloContract(),
                           FunctionEndpoint::Handler handler = sayHi)
        : endpoint(std::make_shared<FunctionEndpoint>(std::move(contract), std::move(handler))),
          caller(endpoint, {soap::makeSoapBinding(endpoint->contract(), {})}, chain(config)) {}

    Answer call(std::string_view ns, std::string_view header, std::string_view body = "",
                std::vector<std::pair<std::string, std::string>> headers = {}) {
        Request request;
        request.body = envelope(ns, body.empty() ? sayHiTo("Ann") : std::string(body), header);
        request.contentType = ns == soap12 ? "application/soap+xml; charset=utf-8" : "text/xml; charset=utf-8";
        request.headers = std::move(headers);
        return caller.call(request);
    }

    std::shared_ptr<core::Chain> chain(const addressing::AddressingConfig& config) {
        auto made = std::make_shared<core::Chain>();
        made->add(addressing::makeAddressing(endpoint->contract(), config, sender));
        return made;
    }

    std::shared_ptr<RecordingSender> sender = std::make_shared<RecordingSender>();
    std::shared_ptr<FunctionEndpoint> endpoint;
    PortCaller caller;
};

/// The header of an answer, block by block.
struct AnswerHeader {
    explicit AnswerHeader(std::string_view body) : document(body), root(document.root()) {
        if (const Element header = root.child(root.uri(), "Header"))
            for (Element each = header.firstChild(); each; each = each.next()) blocks.push_back(each);
    }
    std::size_t count(std::string_view uri) const {
        std::size_t n = 0;
        for (const Element each : blocks) n += each.uri() == uri;
        return n;
    }
    std::string text(std::string_view uri, std::string_view local) const {
        for (const Element each : blocks)
            if (each.is(uri, local)) return each.text();
        return "(no " + std::string(local) + ")";
    }
    Document document;
    Element root;
    std::vector<Element> blocks;
};

}  // namespace postbus::test
