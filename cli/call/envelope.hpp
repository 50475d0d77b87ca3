#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/call/http.hpp"
#include "formats/wsdl/reader/description.hpp"
#include "formats/xml/tape.hpp"

namespace postbus::cli {

/// "http://schemas.xmlsoap.org/soap/envelope/" or that of SOAP 1.2.
std::string_view envelopeNamespace(wsdl::Soap soap);

/// An envelope around a payload: XML content that is well-formed by itself.
std::string envelope(wsdl::Soap soap, std::string_view header, std::string_view payload);

/// A file that was given as payload: checked to be XML; without its declaration, as UTF-8. One that is an envelope
/// already is told by `isEnvelope`.
struct GivenXml {
    std::string text;
    bool isEnvelope = false;
    std::optional<wsdl::Soap> soap;  ///< of the envelope
};
Result<GivenXml> readGivenXml(std::string_view bytes);

/// What --soap-header gives: one header block, or the content of a Header element.
Result<std::string> readGivenHeader(std::string_view bytes);

/// A fault of either version.
struct SoapFault {
    std::string code;                   ///< local name: Client, Sender, Server, ...
    std::vector<std::string> subcodes;  ///< of SOAP 1.2
    std::string reason, actor;
    Element detail;  ///< or none
};

/// An answer's envelope, read.
struct SoapAnswer {
    std::unique_ptr<xml::Tape> tape = std::make_unique<xml::Tape>();  ///< elements refer to it where it is
    std::vector<Element> payload;
    std::optional<SoapFault> fault;
};

/// The error says why the body is no envelope.
Result<SoapAnswer> readAnswer(const HttpAnswer& answer);

}  // namespace postbus::cli
