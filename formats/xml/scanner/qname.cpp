// Names (XML 1.0 section 2.3, Namespaces in XML section 4).
#include <cstring>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/block.hpp"
#include "formats/xml/scanner/document_scanner.hpp"

namespace postbus::xml {
namespace {

bool beginsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Cut at its colon, if it has one there.
QName cut(const char* at, std::size_t length, std::size_t colon) {
    const char* const local = colon == 0 ? at : at + colon + 1;
    return {{at, static_cast<std::uint32_t>(colon)}, {local, static_cast<std::uint32_t>(at + length - local)}};
}

/// A name with characters beyond ASCII: taken as far as it may reach, and then looked at.
char* uncommonName(char* at, QName& name) {
    char* end = at;
    while (!isAscii(*end) || (Block(end).nameStops() & 1) == 0) ++end;
    const auto length = static_cast<std::size_t>(end - at);
    const void* const colon = std::memchr(at, ':', length);
    name = cut(at, length, colon ? static_cast<std::size_t>(static_cast<const char*>(colon) - at) : 0);
    if (colon && !isNcName({name.prefix.at, name.prefix.length})) return nullptr;
    return isNcName({name.local.at, name.local.length}) ? end : nullptr;
}

}  // namespace

char* DocumentScanner::qualifiedName(char* at, QName& name) {
    std::size_t colon = 0, length = 0;
    while (true) {
        const Block block(at + length);
        const unsigned stops = block.nameStops();
        const unsigned end = stops == 0 ? Block::size : firstOf(stops);
        const unsigned colons = bitsBelow(block.is(':'), end);
        if (colons != 0) {
            if (colon != 0 || (colons & (colons - 1)) != 0) return nullptr;
            colon = length + firstOf(colons);
        }
        length += end;
        if (stops != 0) break;
    }
    if (!isAscii(at[length])) return uncommonName(at, name);
    name = cut(at, length, colon);
    // A colon in front is no beginning of a name, nor is what stands behind one at the end.
    return beginsName(*at) && beginsName(*name.local.at) ? at + length : nullptr;
}

}  // namespace postbus::xml
