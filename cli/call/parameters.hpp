#pragma once

#include <string>
#include <vector>

#include "formats/xsd/reader/schema_set.hpp"

namespace postbus::cli {

/// A key that an operation takes.
struct Parameter {
    std::string key;                  ///< "order.lines.sku", "order.@id"
    std::string type;                 ///< "int"; for a derived choice "one of Card, Cash"
    std::vector<std::string> values;  ///< of an enumeration
    bool required = false, repeated = false, nillable = false;
    std::string doc;
};

struct Parameters {
    std::vector<Parameter> all;
    bool cut = false;  ///< there are more
};

/// What an operation with these elements in its request takes, in the order of the schema. A type inside of itself is
/// told once; of many keys the first few hundred. `required` means: where what holds it is there.
Parameters parametersOf(xsd::SchemaSet& schemas, const std::vector<const xsd::ElementDeclaration*>& elements);

/// "int", "list of int", "base64Binary": what a value is called.
std::string typeText(const xsd::Type& type);

}  // namespace postbus::cli
