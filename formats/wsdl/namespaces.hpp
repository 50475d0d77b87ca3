#pragma once

#include <string_view>

namespace postbus::wsdl::ns {

inline constexpr std::string_view wsdl = "http://schemas.xmlsoap.org/wsdl/",
                                  soap = "http://schemas.xmlsoap.org/wsdl/soap/",
                                  soap12 = "http://schemas.xmlsoap.org/wsdl/soap12/",
                                  http = "http://schemas.xmlsoap.org/wsdl/http/",
                                  schema = "http://www.w3.org/2001/XMLSchema",
                                  policy = "http://www.w3.org/ns/ws-policy",
                                  addressing = "http://www.w3.org/2007/05/addressing/metadata",
                                  addressing2006 = "http://www.w3.org/2006/05/addressing/wsdl",
                                  addressing2004 = "http://schemas.xmlsoap.org/ws/2004/08/addressing";

}  // namespace postbus::wsdl::ns
