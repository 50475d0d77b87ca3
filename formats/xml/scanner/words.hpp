#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace postbus::xml {

// Short strings by machine words. All of this may read up to seven bytes beyond the end of a string, which must be
// there to be read: the scanner's text has room behind it.

inline std::uint64_t loadWord(const char* at) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// The first bytes, up to eight, as a number: different ones give different numbers, for strings of one length.
inline std::uint64_t headWord(const char* at, std::size_t length) {
    if (length == 0) return 0;
    const unsigned unused = 8 * static_cast<unsigned>(8 - (length < 8 ? length : 8));
    return std::endian::native == std::endian::little ? loadWord(at) << unused : loadWord(at) >> unused;
}

/// Whether both have the same `length` bytes. Goes no further than the word that holds the first difference.
inline bool equalWords(const char* one, const char* other, std::size_t length) {
    for (; length > 8; length -= 8, one += 8, other += 8)
        if (loadWord(one) != loadWord(other)) return false;
    return headWord(one, length) == headWord(other, length);
}

}  // namespace postbus::xml
