#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/wsdl/contract.hpp"
#include "formats/wsdl/template.hpp"
#include "formats/wsdl/write.hpp"

namespace postbus::wsdl {

/// What is served of a contract: its WSDL, and the documents beside it, ready but for the address. Made once for an
/// endpoint, immutable.
class Documents {
public:
    /// `soap11` and `soap12`: versions that a WSDL made from the operations has ports for; `addressing`: what it says
    /// of that. One that came with the service stays as it is.
    Documents(const Contract& contract, bool soap11, bool soap12, const AddressingPolicy& addressing = {});

    const Template& wsdl() const { return wsdl_; }
    /// One that stands beside the WSDL, by name; null when the contract has none of that name.
    const Template* beside(std::string_view name) const;

private:
    Template wsdl_;
    std::map<std::string, Template, std::less<>> beside_;
};

/// The documents that one refers to, by the names they have for the contract: what its imports and includes give as a
/// relative location, resolved from where it stands itself (its name). Whether there is such a document is not asked.
std::vector<std::string> references(std::string_view own, std::string_view document);

}  // namespace postbus::wsdl
