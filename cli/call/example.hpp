#pragma once

#include <string>

#include "formats/xsd/reader/schema_set.hpp"

namespace postbus::cli {

/// A request's element with everything in it that it may have, each with a value of its type, for people to edit and to
/// send with --xml: indented, with comments where something is optional, may repeat or excludes something else. A type
/// inside of itself is left out where that is allowed.
std::string exampleOf(xsd::SchemaSet& schemas, const xsd::ElementDeclaration& element);

}  // namespace postbus::cli
