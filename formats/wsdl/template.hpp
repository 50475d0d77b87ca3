#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"

namespace postbus::wsdl {

/// A document with places that take the address it is asked for at. Everything else is kept byte for byte.
class Template {
public:
    Template() : pieces_(1) {}

    void text(std::string_view text) { pieces_.back() += text; }
    void address() { pieces_.emplace_back(); }

    /// `address` as it is to stand in an attribute: escaped.
    void append(Buffer& out, std::string_view address) const;
    std::string render(std::string_view address) const;

private:
    std::vector<std::string> pieces_;  // the address goes between them
};

/// A document that another refers to: which query asks for it ("xsd" or "wsdl"), and by which name it is known. An
/// empty name leaves the reference as it is.
using Locate = std::function<std::string(std::string_view location)>;

/// Finds the places of a WSDL or schema: the location of soap:address, soap12:address and http:address, and each
/// schemaLocation of an xs:import, xs:include or xs:redefine and location of a wsdl:import that `locate` knows a name
/// for. `document` must be well-formed, in an encoding that extends ASCII, without a document type.
Template findAddresses(std::string_view document, const Locate& locate);

}  // namespace postbus::wsdl
