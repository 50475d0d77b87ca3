#pragma once

#include "formats/xml/scanner/block.hpp"
#include "formats/xml/scanner/name_scope.hpp"

namespace postbus::xml {

/// Reads a qualified name of any length and alphabet; see readName().
char* readUncommonName(char* at, QName& name);

/// Reads a qualified name (XML 1.0 section 2.3, Namespaces in XML section 4). Returns where it ends, null when there is
/// none; the text ends with a zero byte.
inline char* readName(char* at, QName& name) {
    const auto begins = [](char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26 || c == '_'; };
    const Block block(at);
    const unsigned stops = block.nameStops();
    // A short name in ASCII: nearly all are.
    if (stops == 0) return readUncommonName(at, name);
    const unsigned length = firstOf(stops);
    if (static_cast<signed char>(at[length]) < 0) return readUncommonName(at, name);
    const unsigned colons = bitsBelow(block.is(':'), length);
    const unsigned prefix = colons == 0 ? 0 : firstOf(colons);
    const unsigned local = colons == 0 ? 0 : prefix + 1;
    name.prefix.at = at;
    name.prefix.length = prefix;
    name.local.at = at + local;
    name.local.length = length - local;
    // A colon in front begins no name, nor does what stands behind one at the end; there is none behind the first.
    const bool one = (colons & (colons - 1)) == 0;
    return one && begins(*at) && begins(at[local]) ? at + length : nullptr;
}

}  // namespace postbus::xml
