#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace postbus::xml {

/// The namespace that the prefix xml stands for without a declaration, and that of declarations themselves.
inline constexpr std::string_view xmlNamespace = "http://www.w3.org/XML/1998/namespace";
inline constexpr std::string_view xmlnsNamespace = "http://www.w3.org/2000/xmlns/";

/// Bytes of the UTF-8 sequence at `at`, when it is a complete and shortest one that stands for a Char of XML 1.0
/// (section 2.2); else 0. Surrogates, U+FFFE and U+FFFF are no Char. `at` must lie before `end`.
std::size_t charLength(const char* at, const char* end);

/// Whether all of it is Chars in UTF-8.
bool isChars(std::string_view text);

/// Whether it is a Name without a colon (Namespaces in XML section 3, with the names of XML 1.0's fifth edition).
bool isNcName(std::string_view text);

/// Fit for an error message: invalid and control characters become '?', and what is long is cut.
void appendPrintable(std::string& out, std::string_view text, std::size_t limit);

}  // namespace postbus::xml
