#include "formats/xml/scanner/qname.hpp"

#include <cstring>
#include <string_view>

#include "formats/xml/chars.hpp"

namespace postbus::xml {

/// Takes the name as far as it may reach, and then looks at it.
char* readUncommonName(char* at, QName& name) {
    char* end = at;
    while (true) {
        const unsigned stops = Block(end).nameStops();
        end += stops == 0 ? Block::size : firstOf(stops);
        if (stops == 0) continue;
        if (static_cast<signed char>(*end) >= 0) break;
        ++end;
    }
    const auto length = static_cast<std::size_t>(end - at);
    const auto* const colon = static_cast<const char*>(std::memchr(at, ':', length));
    const char* const local = colon ? colon + 1 : at;
    name.prefix = {at, static_cast<std::uint32_t>(colon ? colon - at : 0)};
    name.local = {local, static_cast<std::uint32_t>(end - local)};
    if (colon && !isNcName({name.prefix.at, name.prefix.length})) return nullptr;
    return isNcName({name.local.at, name.local.length}) ? end : nullptr;
}

}  // namespace postbus::xml
