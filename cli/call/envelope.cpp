#include "cli/call/envelope.hpp"

#include "formats/mime/media_type.hpp"
#include "formats/xml/chars.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xml/writer.hpp"
#include "formats/xsd/reader/builtin.hpp"

namespace postbus::cli {
namespace {

constexpr std::string_view soap11 = "http://schemas.xmlsoap.org/soap/envelope/",
                           soap12 = "http://www.w3.org/2003/05/soap-envelope";

std::optional<wsdl::Soap> versionOf(Element root) {
    if (root.is(soap11, "Envelope")) return wsdl::Soap::V11;
    if (root.is(soap12, "Envelope")) return wsdl::Soap::V12;
    return std::nullopt;
}

/// The local part of a QName in text: codes are told by it, whatever the prefix.
std::string localName(std::string_view qname) {
    qname = xsd::trimmed(qname);
    return std::string(qname.substr(qname.find(':') == std::string_view::npos ? 0 : qname.find(':') + 1));
}

std::string textOf(Element element) { return element ? std::string(xsd::trimmed(element.text())) : std::string(); }

SoapFault fault11(Element fault) {
    SoapFault its;
    its.code = localName(textOf(fault.child("", "faultcode")));
    its.reason = textOf(fault.child("", "faultstring"));
    its.actor = textOf(fault.child("", "faultactor"));
    its.detail = fault.child("", "detail");
    return its;
}

SoapFault fault12(Element fault) {
    SoapFault its;
    Element code = fault.child(soap12, "Code");
    if (code) its.code = localName(textOf(code.child(soap12, "Value")));
    for (code = code ? code.child(soap12, "Subcode") : Element{}; code; code = code.child(soap12, "Subcode"))
        its.subcodes.push_back(localName(textOf(code.child(soap12, "Value"))));
    if (const Element reason = fault.child(soap12, "Reason")) its.reason = textOf(reason.firstChild());
    its.actor = textOf(fault.child(soap12, "Role"));
    its.detail = fault.child(soap12, "Detail");
    return its;
}

/// The document without byte order mark and declaration, where it is UTF-8 by itself; else written anew.
Result<std::string> asContent(std::string_view bytes, const xml::Tape& tape) {
    std::string_view text = bytes;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::string_view declaration;
    if (text.starts_with("<?xml")) {
        const std::size_t end = text.find("?>");
        declaration = text.substr(0, end);
        text.remove_prefix(end + 2);
    }
    const std::size_t encoding = declaration.find("encoding");
    const std::string_view named =
        encoding == std::string_view::npos ? std::string_view{} : declaration.substr(encoding);
    const bool utf8 =
        named.empty() || named.find("UTF-8") != std::string_view::npos || named.find("utf-8") != std::string_view::npos;
    const bool ascii =
        !text.empty() && static_cast<unsigned char>(text.front()) < 0x80 && text.find('\0') == std::string_view::npos;
    if (utf8 && ascii) return std::string(xsd::trimmed(text));
    Buffer out;
    xml::Writer writer;
    writer.begin(out);
    writer.copy(tape.root());
    if (auto finished = writer.finish(); !finished) return std::move(finished).error();
    return std::string(out.view());
}

Result<void> readBody(Element root, SoapAnswer& into) {
    const Element body = root.child(root.uri(), "Body");
    if (!body) return Error::invalid("the envelope has no Body");
    for (Element each = body.firstChild(); each; each = each.next()) {
        if (each.is(root.uri(), "Fault") && !into.fault)
            into.fault = root.uri() == soap11 ? fault11(each) : fault12(each);
        into.payload.push_back(each);
    }
    return ok();
}

}  // namespace

std::string_view envelopeNamespace(wsdl::Soap soap) { return soap == wsdl::Soap::V11 ? soap11 : soap12; }

std::string envelope(wsdl::Soap soap, std::string_view header, std::string_view payload) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<soap:Envelope xmlns:soap=\"";
    text.append(envelopeNamespace(soap)).append("\">");
    if (!header.empty()) text.append("<soap:Header>").append(header).append("</soap:Header>");
    return text.append("<soap:Body>").append(payload).append("</soap:Body></soap:Envelope>");
}

Result<GivenXml> readGivenXml(std::string_view bytes) {
    xml::Tape tape;
    if (auto parsed = xml::parse(bytes, "", {}, tape); !parsed) return std::move(parsed).error();
    auto text = asContent(bytes, tape);
    if (!text) return std::move(text).error();
    const auto version = versionOf(tape.root());
    return GivenXml{*std::move(text), version.has_value(), version};
}

Result<std::string> readGivenHeader(std::string_view bytes) {
    xml::Tape tape;
    if (auto parsed = xml::parse(bytes, "", {}, tape); !parsed) return std::move(parsed).error();
    const Element root = tape.root();
    if (!root.is(soap11, "Header") && !root.is(soap12, "Header")) return asContent(bytes, tape);
    Buffer out;
    for (Element each = root.firstChild(); each; each = each.next()) {
        xml::Writer writer;
        writer.begin(out);
        writer.copy(each);
        if (auto finished = writer.finish(); !finished) return std::move(finished).error();
    }
    return std::string(out.view());
}

Result<SoapAnswer> readAnswer(const HttpAnswer& answer) {
    const std::string type = answer.header("Content-Type");
    std::string memory, charset;
    if (const auto media = mime::MediaType::parse(type); media) {
        if (media->is("multipart", "related"))
            return Error::internal("the answer has attachments (multipart/related), which are not read");
        charset = media->parameter("charset", memory).value_or("");
    }
    SoapAnswer its;
    auto parsed = xml::parse(answer.body, charset, {}, *its.tape);
    std::optional<wsdl::Soap> version;
    if (parsed) version = versionOf(its.tape->root());
    if (!version) {
        std::string text =
            "HTTP " + std::to_string(answer.status) + ' ' + answer.reason + ": the answer is no SOAP envelope";
        if (!parsed && type.find("xml") != std::string::npos) text += " (" + parsed.error().message() + ')';
        if (!answer.header("Location").empty()) text += "; it leads to " + answer.header("Location");
        if (!answer.body.empty()) {
            text += ": ";
            xml::appendPrintable(text, xsd::trimmed(answer.body), 300);
        }
        return Error::internal(text);
    }
    if (auto read = readBody(its.tape->root(), its); !read) return std::move(read).error();
    return its;
}

}  // namespace postbus::cli
