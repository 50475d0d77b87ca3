#include "transports/http/parser/authority.hpp"

#include "core/message/headers.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {

bool sameText(std::string_view a, std::string_view b) { return core::sameName(a, b); }

bool isPort(std::string_view text) {
    if (text.size() > 5 || !chars::all(text, chars::digit) || text.front() == '0') return false;
    unsigned number = 0;
    for (const char c : text) number = number * 10 + static_cast<unsigned>(c - '0');
    return number <= 65535;
}

bool isAuthority(std::string_view text) {
    constexpr std::size_t longestHost = 255;
    std::string_view port;
    if (!text.empty() && text.front() == '[') {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos || end < 3 || end > 46) return false;
        bool colon = false;
        for (const char c : text.substr(1, end - 1)) {
            if (!chars::is(c, chars::hex) && c != ':' && c != '.') return false;
            colon = colon || c == ':';
        }
        if (!colon) return false;
        port = text.substr(end + 1);
    } else {
        const std::size_t colon = std::min(text.find(':'), text.size());
        if (colon > longestHost || !chars::all(text.substr(0, colon), chars::hostName)) return false;
        port = text.substr(colon);
    }
    // RFC 3986 section 3.2.3 lets the port be empty behind its colon.
    return port.empty() || port == ":" || (port.front() == ':' && isPort(port.substr(1)));
}

}  // namespace postbus::http
