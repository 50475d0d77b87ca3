#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::http {

/// An address that is called: http://HOST[:PORT][/PATH][?QUERY].
struct HttpUrl {
    std::string host;  ///< a name or an IP address, without brackets
    std::uint16_t port = 80;
    std::string authority;  ///< as the Host field has it
    std::string path;       ///< as it is sent: begins with '/', percent-encoded
    std::string query;      ///< without '?', or empty

    /// Where it leads: equal for all URLs of one server, e.g. "127.0.0.1:9000".
    std::string origin() const;
    std::string text() const;
};

/// Reads one. Refused, each with its reason: other schemes (https:// is said to be not there yet), user names,
/// fragments, characters that no URL has. Names are not looked up.
Result<HttpUrl> parseHttpUrl(std::string_view text);

}  // namespace postbus::http
