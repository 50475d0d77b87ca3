#include "bindings/soap/answer_reader.hpp"

#include <string>

#include "bindings/soap/envelope.hpp"
#include "bindings/soap/version_shape.hpp"
#include "core/message/payload_writer.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::soap {
namespace {

/// A QName's local part.
std::string_view localOf(std::string_view name) {
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

core::Fault::Code codeOf(std::string_view local) {
    // SOAP 1.1 allows "Client.Authentication".
    const std::string_view first = local.substr(0, local.find('.'));
    if (first == "Client" || first == "Sender") return core::Fault::Code::Sender;
    if (first == "VersionMismatch") return core::Fault::Code::VersionMismatch;
    if (first == "MustUnderstand") return core::Fault::Code::MustUnderstand;
    return core::Fault::Code::Receiver;
}

/// The children of a detail element, each able to stand by itself.
std::string detailOf(Element detail) {
    Buffer out;
    for (Element each = detail ? detail.firstChild() : Element(); each; each = each.next()) {
        core::PayloadWriter writer;
        writer.begin(out);
        writer.copy(each);
        if (!writer.finish()) return {};
    }
    return std::string(out.view());
}

/// A finer code: SOAP 1.2's Subcode, or a faultcode of a namespace other than the envelope's.
void addSubcode(core::Fault& fault, Element value, std::string_view envelope) {
    if (!value) return;
    const std::string text = value.text();
    const std::string_view name = trimmed(text);
    const std::size_t colon = name.find(':');
    if (colon == std::string_view::npos) return;
    const auto uri = value.lookup(name.substr(0, colon));
    if (!uri || *uri == envelope) return;
    fault.subcodeUri = *uri;
    fault.subcode = localOf(name);
}

core::Fault fault11(Element element) {
    core::Fault fault;
    const Element code = element.child("", "faultcode"), text = element.child("", "faultstring");
    const std::string name = code ? code.text() : std::string();
    fault.code = codeOf(localOf(trimmed(name)));
    fault.reason = text ? text.text() : std::string("the service gave no reason");
    fault.detail = detailOf(element.child("", "detail"));
    addSubcode(fault, code, shape11.uri);
    return fault;
}

core::Fault fault12(Element element) {
    core::Fault fault;
    const std::string_view uri = shape12.uri;
    const auto child = [&](Element of, std::string_view name) { return of ? of.child(uri, name) : Element(); };
    const Element code = child(element, "Code"), value = child(code, "Value"),
                  text = child(child(element, "Reason"), "Text");
    const std::string name = value ? value.text() : std::string();
    fault.code = codeOf(localOf(trimmed(name)));
    fault.reason = text ? text.text() : std::string("the service gave no reason");
    fault.detail = detailOf(child(element, "Detail"));
    addSubcode(fault, child(child(code, "Subcode"), "Value"), uri);
    return fault;
}

Error bad(Error&& error) { return Error(Error::Kind::BadGateway, error.message()); }

}  // namespace

Result<RemoteAnswer> readAnswer(std::string_view bytes, std::string_view charset, xml::Tape& tape) {
    if (auto parsed = xml::parse(bytes, charset, xml::Limits{}, tape); !parsed) return bad(std::move(parsed).error());
    const Element root = tape.root();
    auto version = versionOf(root);
    if (!version) return bad(std::move(version).error());
    auto envelope = openEnvelope(root, *version);
    if (!envelope) return bad(std::move(envelope).error());
    RemoteAnswer answer;
    answer.payload = envelope->body.firstChild();
    if (answer.payload && answer.payload.is(shapeOf(*version).uri, "Fault"))
        answer.fault = *version == Version::Soap12 ? fault12(answer.payload) : fault11(answer.payload);
    return answer;
}

}  // namespace postbus::soap
