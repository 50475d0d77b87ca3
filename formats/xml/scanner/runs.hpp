#pragma once

#include <cstdint>
#include <cstring>

#include "formats/xml/scanner/block.hpp"

namespace postbus::xml {

// Ways over many characters at once. The text ends with a zero byte, which stops them all.

/// Runs on until `stops` says so of a block, and counts the lines on the way.
template <class Stops>
inline char* runOver(char* at, std::uint32_t& line, Stops stops) {
    while (true) {
        const Block block(at);
        const unsigned found = stops(block);
        const unsigned lines = block.is('\n');
        if (found != 0) {
            const unsigned first = firstOf(found);
            line += countOf(bitsBelow(lines, first));
            return at + first;
        }
        line += countOf(lines);
        at += Block::size;
    }
}

/// Runs over text to what ends it or needs a look.
inline char* runOfText(char* at, std::uint32_t& line) {
    return runOver(at, line, [](const Block& block) { return block.textStops(); });
}

/// Runs over an attribute's value to its quote, or to what needs a look. There are no line ends in it.
inline char* runOfValue(char* at, char quote) {
    while (true) {
        const unsigned found = Block(at).valueStops(quote);
        if (found != 0) return at + firstOf(found);
        at += Block::size;
    }
}

/// Moves the bytes from `from` to `to` to `out`, which does not lie behind them, and `out` behind what was moved.
inline void moveTo(char*& out, const char* from, const char* to) {
    const auto size = static_cast<std::size_t>(to - from);
    if (out != from) std::memmove(out, from, size);
    out += size;
}

}  // namespace postbus::xml
