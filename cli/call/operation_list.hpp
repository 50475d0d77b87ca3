#pragma once

#include <string>

#include "formats/json/writer.hpp"
#include "formats/wsdl/reader/description.hpp"

namespace postbus::cli {

/// The ports with their operations and what these take, as text for people and as JSON. `operation` and `port`: only
/// those; empty: all.
std::string listText(wsdl::Description& description, const std::string& port, const std::string& operation);
void listJson(json::Writer& json, wsdl::Description& description, const std::string& port,
              const std::string& operation);

/// The elements that an operation is asked with. The error names what is missing.
Result<std::vector<const xsd::ElementDeclaration*>> elementsOf(xsd::SchemaSet& schemas,
                                                               const std::vector<wsdl::Part>& parts);

}  // namespace postbus::cli
