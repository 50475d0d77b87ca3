#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "transports/http/parser/refusal.hpp"

namespace postbus::http {

/// A piece of the read buffer: it stays right when the buffer moves.
struct Span {
    std::uint32_t at = 0, length = 0;
    std::string_view in(const char* base) const { return {base + at, length}; }
};

/// What a request line aims at (RFC 9112 section 3.2).
struct Target {
    Span path;       ///< decoded, without dot segments; empty for "*"
    Span query;      ///< as sent
    Span authority;  ///< of the absolute form, checked; else empty
    bool asterisk = false;
};

/// Reads the target at `at` of `base`: origin form, absolute form with http or https, or "*". The path is
/// percent-decoded in place.
///
/// Refused: characters no URI has, escapes that are none, %00 and other control characters, an encoded slash or
/// backslash, paths that are not UTF-8, "." and ".." segments (also encoded): a path means one thing only.
Refusal readTarget(char* base, Span at, Target& target);

}  // namespace postbus::http
