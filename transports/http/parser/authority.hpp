#pragma once

#include <string_view>

namespace postbus::http {

/// Whether `text` may stand as host[:port] in an address that we hand out: a name of letters, digits, - . _ ~ or an
/// IPv6 address in brackets, at most 255 bytes, then perhaps a port of 1 to 65535. User names, escapes and all that
/// would have to be quoted in XML or HTML are refused.
bool isAuthority(std::string_view text);

/// Whether `text` is a port number, 1 to 65535, without leading zeros.
bool isPort(std::string_view text);

/// Equal but for the case of ASCII letters.
bool sameText(std::string_view a, std::string_view b);

}  // namespace postbus::http
