#pragma once

#include <string_view>

namespace postbus::wsdl::ns {

inline constexpr std::string_view wsdl = "http://schemas.xmlsoap.org/wsdl/",
                                  soap = "http://schemas.xmlsoap.org/wsdl/soap/",
                                  soap12 = "http://schemas.xmlsoap.org/wsdl/soap12/",
                                  http = "http://schemas.xmlsoap.org/wsdl/http/",
                                  schema = "http://www.w3.org/2001/XMLSchema";

}  // namespace postbus::wsdl::ns
