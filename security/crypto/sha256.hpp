#pragma once

#include <string>
#include <string_view>

namespace postbus::crypto {

/// SHA-256 (FIPS 180-4) of `bytes`, as 64 lower-case hexadecimal digits. Throws std::runtime_error only if the library
/// has no SHA-256 at all. Thread-safe.
std::string sha256(std::string_view bytes);

}  // namespace postbus::crypto
