#pragma once

#include <string_view>

namespace postbus::addressing {

/// What differs between WS-Addressing 1.0 (W3C Recommendations of 9 May 2006) and the submission of August 2004, which
/// many devices still speak. An answer is in the edition of its request.
struct Edition {
    std::string_view uri;
    std::string_view anonymous, none;                ///< none: empty where the edition has no such address
    std::string_view relatesToReply;                 ///< the relationship that needs not be named
    std::string_view faultAction;                    ///< of the faults that the specification defines
    std::string_view soapFaultAction;                ///< of all others
    std::string_view invalidHeader, headerRequired;  ///< names of fault codes
    bool finer;                                      ///< faults have finer codes and details
};

inline constexpr Edition edition10{"http://www.w3.org/2005/08/addressing",
                                   "http://www.w3.org/2005/08/addressing/anonymous",
                                   "http://www.w3.org/2005/08/addressing/none",
                                   "http://www.w3.org/2005/08/addressing/reply",
                                   "http://www.w3.org/2005/08/addressing/fault",
                                   "http://www.w3.org/2005/08/addressing/soap/fault",
                                   "InvalidAddressingHeader",
                                   "MessageAddressingHeaderRequired",
                                   true};
inline constexpr Edition edition2004{"http://schemas.xmlsoap.org/ws/2004/08/addressing",
                                     "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
                                     {},
                                     "wsa:Reply",
                                     "http://schemas.xmlsoap.org/ws/2004/08/addressing/fault",
                                     "http://schemas.xmlsoap.org/ws/2004/08/addressing/fault",
                                     "InvalidMessageInformationHeader",
                                     "MessageInformationHeaderRequired",
                                     false};

/// The edition of a namespace, or null.
constexpr const Edition* editionOf(std::string_view uri) {
    if (uri == edition10.uri) return &edition10;
    if (uri == edition2004.uri) return &edition2004;
    return nullptr;
}

}  // namespace postbus::addressing
