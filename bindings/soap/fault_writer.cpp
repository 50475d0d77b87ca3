#include "bindings/soap/fault_writer.hpp"

#include <string>

#include "base/log/event.hpp"
#include "bindings/soap/soap_events.hpp"
#include "formats/xml/parse.hpp"
#include "formats/xsd/text.hpp"

namespace postbus::soap {
namespace {

std::string_view codeName(Version version, core::Fault::Code code) {
    const bool soap12 = version == Version::Soap12;
    switch (code) {
        case core::Fault::Code::Sender:
            return soap12 ? "Sender" : "Client";
        case core::Fault::Code::VersionMismatch:
            return "VersionMismatch";
        case core::Fault::Code::MustUnderstand:
            return "MustUnderstand";
        default:
            return soap12 ? "Receiver" : "Server";
    }
}

/// Whether `detail` may be put into an element as it is.
bool standsByItself(std::string_view detail) {
    const std::string document = "<detail>" + std::string(detail) + "</detail>";
    xml::Tape tape;
    return bool(xml::parse(document, "utf-8", xml::Limits{}, tape));
}

/// SOAP 1.2 section 5.4.7: the envelopes that are understood here, best first. In a SOAP 1.1 envelope too (appendix A).
void appendUpgrade(std::string& out, const Versions& supported) {
    out += R"(<e:Upgrade xmlns:e="http://www.w3.org/2003/05/soap-envelope">)";
    if (supported.soap12) out += R"(<e:SupportedEnvelope qname="e:Envelope"/>)";
    if (supported.soap11)
        out += R"(<e:SupportedEnvelope qname="s:Envelope" xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"/>)";
    out += "</e:Upgrade>";
}

/// SOAP 1.2 section 5.4.8.
void appendNotUnderstood(std::string& out, std::string_view uri, std::string_view local) {
    if (uri.empty()) {
        out += R"(<soap:NotUnderstood qname=")";
    } else {
        out += R"(<soap:NotUnderstood xmlns:h=")";
        xsd::appendAttribute(out, uri);
        out += R"(" qname="h:)";
    }
    xsd::appendAttribute(out, local);
    out += "\"/>";
}

std::string headerOf(const FaultAnswer& answer, const core::Fault& fault) {
    std::string blocks;
    if (fault.code == core::Fault::Code::VersionMismatch && answer.supported.soap12)
        appendUpgrade(blocks, answer.supported);
    if (fault.code == core::Fault::Code::MustUnderstand && answer.version == Version::Soap12)
        for (const auto& [uri, local] : answer.notUnderstood) appendNotUnderstood(blocks, uri, local);
    blocks += fault.headerBlocks;
    if (blocks.empty()) return blocks;
    blocks.insert(0, headerStart);
    return blocks += headerEnd;
}

/// ` xmlns:sub="URI">sub:NAME`, for the end of a start tag.
std::string qualified(const core::Fault& fault, std::string_view code) {
    std::string name = R"( xmlns:sub=")";
    xsd::appendAttribute(name, fault.subcodeUri);
    name += R"(">sub:)";
    xsd::appendContent(name, code);
    return name;
}

/// One inside of the other (SOAP 1.2 section 5.4.1.3).
std::string subcodes(const core::Fault& fault) {
    if (fault.subcode.empty()) return {};
    std::string finer;
    if (!fault.subsubcode.empty())
        finer = "<soap:Subcode><soap:Value" + qualified(fault, fault.subsubcode) + "</soap:Value></soap:Subcode>";
    return "<soap:Subcode><soap:Value" + qualified(fault, fault.subcode) + "</soap:Value>" + finer + "</soap:Subcode>";
}

/// SOAP 1.2 has subcodes; in SOAP 1.1 the finest code stands in the place of the coarse one, as the specifications that
/// name such codes want it.
std::string bodyOf(Version version, const core::Fault& fault, std::string_view reason, std::string_view detail) {
    const std::string_view code = codeName(version, fault.code);
    std::string body = "<soap:Fault>";
    if (version == Version::Soap12) {
        body.append("<soap:Code><soap:Value>soap:").append(code).append("</soap:Value>");
        body += subcodes(fault);
        body += "</soap:Code>";
        body += R"(<soap:Reason><soap:Text xml:lang="en">)";
        xsd::appendContent(body, reason);
        body += "</soap:Text></soap:Reason>";
        if (!detail.empty()) body.append("<soap:Detail>").append(detail).append("</soap:Detail>");
    } else {
        body += "<faultcode";
        body += fault.subcode.empty() ? ">soap:" + std::string(code)
                                      : qualified(fault, fault.subsubcode.empty() ? fault.subcode : fault.subsubcode);
        body += "</faultcode><faultstring>";
        xsd::appendContent(body, reason);
        body += "</faultstring>";
        if (!detail.empty()) body.append("<detail>").append(detail).append("</detail>");
    }
    return body + "</soap:Fault>";
}

}  // namespace

int faultStatus(Version version, const core::Fault& fault) {
    switch (fault.kind) {
        case Error::Kind::Unauthorized:
            return 401;
        case Error::Kind::Forbidden:
            return 403;
        case Error::Kind::TooLarge:
            return 413;
        case Error::Kind::Unsupported:
            return 415;
        case Error::Kind::Unavailable:
            return 503;
        case Error::Kind::BadGateway:
            return 502;
        default:
            return version == Version::Soap12 && fault.code == core::Fault::Code::Sender ? 400 : 500;
    }
}

core::WireAnswer FaultAnswer::write(const core::Fault& fault, Buffer memory) const {
    std::string_view detail = fault.detail;
    if (!detail.empty() && !standsByItself(detail)) {
        log::emit(DetailMalformed, {{"request", requestId}, {"reason", fault.reason}});
        detail = {};
    }
    const VersionShape& shape = shapeOf(version);
    const std::string reason = fault.reason + " (request " + std::string(requestId) + ")";

    memory.clear(core::transportHeadroom);
    memory.append(shape.envelopeStart());
    memory.append(headerOf(*this, fault));
    memory.append(bodyStart);
    memory.append(bodyOf(version, fault, reason, detail));
    memory.append(shape.end);

    core::WireAnswer answer;
    answer.status = faultStatus(version, fault);
    answer.contentType = shape.contentType;
    if (fault.kind == Error::Kind::Unavailable) answer.retryAfter = std::chrono::seconds(1);
    answer.body = std::move(memory);
    return answer;
}

}  // namespace postbus::soap
