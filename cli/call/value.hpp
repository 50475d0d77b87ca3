#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formats/xsd/reader/model.hpp"

namespace postbus::cli {

/// What an argument's VALUE means for a simple type: itself, or with @FILE what the file holds (@- standard input, @@x
/// the text "@x"). A file for base64Binary or hexBinary is encoded. What is plainly no value of the type is refused,
/// with what was expected.
Result<std::string> valueOf(std::string_view given, const xsd::Type& type);

/// What a file holds, "-" being standard input; at most 64 MiB.
Result<std::string> readFile(const std::string& file);

}  // namespace postbus::cli
