#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "formats/wsdl/reader/description.hpp"

namespace postbus::wsdl {

/// Fetches what lies at a location: "http://host/path?query", or the path of a file. The error says why it can't.
using Fetch = std::function<Result<std::string>(const std::string& location)>;

/// What a WSDL with all that it refers to may cost. Over a limit is Error::Kind::TooLarge and names it.
struct LoadLimits {
    std::size_t documents = 200;
    std::size_t bytes = 64u << 20;  ///< of all documents
    std::size_t oneDocument = 16u << 20;
};

/// Reads a WSDL 1.1 and what it imports and includes, WSDLs and schemas; each document once, so that loops end. It
/// comes from strangers: no document type, no entities (xml::parse), limits, and a document from the network refers to
/// no file of this machine.
///
/// Errors name document and line. A schema that can't be fetched is one only when something of it is needed: it is
/// named there.
Result<Description> load(const std::string& location, const Fetch& fetch, const LoadLimits& limits = {});

/// A reference as the location of a document says where it leads: "types.xsd" in "http://host/a/b?wsdl" is
/// "http://host/a/types.xsd"; files by path. The error says why it leads nowhere.
Result<std::string> resolveLocation(const std::string& from, std::string_view reference);

}  // namespace postbus::wsdl
