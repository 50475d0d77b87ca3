#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::admin {

/// The secret that callers over TCP must know, from `file`; made at first (256 random bits, mode 0600). A file that
/// others may read is closed to them, with a warning in the log.
Result<std::string> loadToken(const std::string& file);

/// Whether the two are equal, in a time that tells nothing of where they differ.
bool sameSecret(std::string_view a, std::string_view b);

}  // namespace postbus::admin
