#pragma once

#include <string>
#include <string_view>

namespace postbus::soap {

/// What the query of a GET asks for of a contract: ?wsdl (any case), ?singleWsdl, ?xsd=NAME, ?wsdl=NAME.
struct WsdlQuery {
    enum class Asks { Nothing, Wsdl, Schema } asks = Asks::Nothing;
    std::string name;  ///< of the document beside the WSDL, percent-decoded, or empty

    static WsdlQuery of(std::string_view query);
};

}  // namespace postbus::soap
