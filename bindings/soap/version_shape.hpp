#pragma once

#include <string_view>

#include "bindings/soap/soap_binding.hpp"

namespace postbus::soap {

/// What differs between the versions on the wire.
struct VersionShape {
    std::string_view uri;          ///< of the envelope's namespace
    std::string_view contentType;  ///< exactly so: WCF compares the text
    std::string_view start, end;   ///< of an answer, around its payload

    /// What of `start` stands before the Body, where a Header goes.
    constexpr std::string_view envelopeStart() const;
};

inline constexpr std::string_view bodyStart = "<soap:Body>", headerStart = "<soap:Header>",
                                  headerEnd = "</soap:Header>";

constexpr std::string_view VersionShape::envelopeStart() const {
    return start.substr(0, start.size() - bodyStart.size());
}

inline constexpr VersionShape shape11{
    "http://schemas.xmlsoap.org/soap/envelope/", "text/xml; charset=utf-8",
    R"(<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>)",
    "</soap:Body></soap:Envelope>"};
inline constexpr VersionShape shape12{
    "http://www.w3.org/2003/05/soap-envelope", "application/soap+xml; charset=utf-8",
    R"(<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>)",
    "</soap:Body></soap:Envelope>"};

constexpr const VersionShape& shapeOf(Version version) { return version == Version::Soap12 ? shape12 : shape11; }

/// Which versions an endpoint answers, and which its WSDL names.
struct Versions {
    bool soap11 = true, soap12 = true;
    bool advertise11 = true, advertise12 = false;

    bool has(Version version) const { return version == Version::Soap12 ? soap12 : soap11; }
};

/// No version configured stands for both. What is not answered is not advertised; what is left, if nothing else, is
/// what is answered.
Versions versionsOf(const SoapConfig& config);

// Exchange::variant holds the version that the envelope was found to be; 0 before that.
constexpr int variantOf(Version version) { return version == Version::Soap12 ? 2 : 1; }
constexpr Version versionOf(int variant) { return variant == 2 ? Version::Soap12 : Version::Soap11; }

}  // namespace postbus::soap
