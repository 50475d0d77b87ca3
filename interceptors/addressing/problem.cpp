#include "interceptors/addressing/problem.hpp"

#include "formats/xsd/text.hpp"

namespace postbus::addressing {
namespace {

using Kind = Problem::Kind;

/// The finer code of an invalid header; empty: the problem is another one.
std::string_view subsubcode(Kind kind) {
    switch (kind) {
        case Kind::InvalidAddress:
            return "InvalidAddress";
        case Kind::InvalidEpr:
            return "InvalidEPR";
        case Kind::InvalidCardinality:
            return "InvalidCardinality";
        case Kind::MissingAddressInEpr:
            return "MissingAddressInEPR";
        case Kind::ActionMismatch:
            return "ActionMismatch";
        case Kind::OnlyAnonymousAddressSupported:
            return "OnlyAnonymousAddressSupported";
        case Kind::OnlyNonAnonymousAddressSupported:
            return "OnlyNonAnonymousAddressSupported";
        default:
            return {};
    }
}

std::string_view subcode(Kind kind, const Edition& edition) {
    switch (kind) {
        case Kind::HeaderRequired:
            return edition.headerRequired;
        case Kind::DestinationUnreachable:
            return "DestinationUnreachable";
        case Kind::ActionNotSupported:
            return "ActionNotSupported";
        default:
            return edition.invalidHeader;
    }
}

std::string start(std::string_view name, const Edition& edition) {
    return "<wsa:" + std::string(name) + " xmlns:wsa=\"" + std::string(edition.uri) + "\">";
}

std::string end(std::string_view name) { return "</wsa:" + std::string(name) + ">"; }

void appendInner(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    out.append("<wsa:").append(name).append(">");
    xsd::appendContent(out, value);
    out += end(name);
}

std::string detailOf(const Problem& problem, const Edition& edition) {
    std::string detail;
    if (problem.kind == Kind::ActionNotSupported || problem.kind == Kind::ActionMismatch) {
        detail = start("ProblemAction", edition);
        appendInner(detail, "Action", problem.value);
        appendInner(detail, "SoapAction", problem.soapAction);
        detail += end("ProblemAction");
    } else if (problem.kind == Kind::DestinationUnreachable) {
        detail = start("ProblemIRI", edition);
        xsd::appendContent(detail, problem.value);
        detail += end("ProblemIRI");
    }
    if (problem.kind == Kind::ActionNotSupported || problem.kind == Kind::DestinationUnreachable) return detail;
    detail += start("ProblemHeaderQName", edition) + "wsa:" + std::string(problem.header) + end("ProblemHeaderQName");
    return detail;
}

/// SOAP 1.1 keeps what concerns headers out of the Body (section 4.4): WS-Addressing has a header of its own for it.
void place(core::Fault& fault, std::string detail, const Edition& edition, soap::Version version) {
    if (version == soap::Version::Soap12)
        fault.detail = std::move(detail);
    else
        fault.headerBlocks += start("FaultDetail", edition) + detail + end("FaultDetail");
}

}  // namespace

core::Fault faultOf(const Problem& problem, const Edition& edition, soap::Version version) {
    core::Fault fault;
    fault.code = core::Fault::Code::Sender;
    fault.kind = Error::Kind::Invalid;
    fault.reason = problem.reason;
    fault.subcodeUri = edition.uri;
    fault.subcode = subcode(problem.kind, edition);
    if (!edition.finer) return fault;
    fault.subsubcode = subsubcode(problem.kind);
    place(fault, detailOf(problem, edition), edition, version);
    return fault;
}

void makeUnavailable(core::Fault& fault, const Edition& edition, soap::Version version) {
    if (fault.kind != Error::Kind::Unavailable || !fault.subcode.empty() || !fault.detail.empty()) return;
    fault.subcodeUri = edition.uri;
    fault.subcode = "EndpointUnavailable";
    constexpr std::string_view milliseconds = "1000";  // as Retry-After says it
    if (edition.finer)
        place(fault, start("RetryAfter", edition) + std::string(milliseconds) + end("RetryAfter"), edition, version);
}

}  // namespace postbus::addressing
