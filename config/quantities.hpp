#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/units.hpp"

/// Times and sizes as people write them: in the YAML, as an option of the command, in a query of the admin interface.
/// One reading for all of them, so that 10 means nothing anywhere. Errors say what to write instead.
namespace postbus::config {

inline constexpr std::string_view aDuration = "a duration such as 500ms, 60s, 5m or 1h",
                                  aSize = "a size such as 512, 64kB, 32KiB or 16MiB";

/// 500ms, 60s, 5m, 1h: a whole number with its unit, up to a year of 8760h.
Result<milliseconds> durationOf(std::string_view text);
/// 512, 64kB, 32KiB, 16MiB, 1GiB: bytes, powers of ten (kB, MB, GB) or of two (KiB, MiB, GiB).
Result<ByteSize> byteSizeOf(std::string_view text);

/// The same values as configuration writes them: "60s", "32KiB".
std::string written(milliseconds duration);
std::string written(ByteSize size);

enum class Digits { Fine, Malformed, TooLarge };
/// Decimal digits without a leading zero, which YAML 1.1 takes for octal.
Digits digits(std::string_view text, std::uint64_t& value);

}  // namespace postbus::config
