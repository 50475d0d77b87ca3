#include "formats/xml/chars.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "formats/xml/scan.hpp"

namespace postbus::xml {
namespace {

using Byte = unsigned char;

bool isContinuation(Byte byte) { return (byte & 0xC0) == 0x80; }

std::size_t twoBytes(const Byte* p, std::size_t left) {
    return p[0] >= 0xC2 && left >= 2 && isContinuation(p[1]) ? 2 : 0;
}

std::size_t threeBytes(const Byte* p, std::size_t left) {
    if (left < 3 || !isContinuation(p[1]) || !isContinuation(p[2])) return 0;
    if (p[0] == 0xE0 && p[1] < 0xA0) return 0;                   // longer than needed
    if (p[0] == 0xED && p[1] >= 0xA0) return 0;                  // a surrogate
    if (p[0] == 0xEF && p[1] == 0xBF && p[2] >= 0xBE) return 0;  // U+FFFE, U+FFFF
    return 3;
}

std::size_t fourBytes(const Byte* p, std::size_t left) {
    if (p[0] > 0xF4 || left < 4 || !isContinuation(p[1]) || !isContinuation(p[2]) || !isContinuation(p[3])) return 0;
    if (p[0] == 0xF0 && p[1] < 0x90) return 0;   // longer than needed
    if (p[0] == 0xF4 && p[1] >= 0x90) return 0;  // beyond U+10FFFF
    return 4;
}

// ASCII in names: 1 may begin one, 2 may only follow.
constexpr std::array<std::uint8_t, 128> nameClass = [] {
    std::array<std::uint8_t, 128> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = 1;
    for (int c = '0'; c <= '9'; ++c) table[c] = 2;
    table['_'] = 1;
    table['-'] = table['.'] = 2;
    return table;
}();

struct Range {
    std::uint32_t first, last;
};
constexpr Range nameStart[] = {{0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2FF},    {0x370, 0x37D},
                               {0x37F, 0x1FFF},  {0x200C, 0x200D}, {0x2070, 0x218F}, {0x2C00, 0x2FEF},
                               {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}};
constexpr Range nameRest[] = {{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}};

template <std::size_t N>
bool within(const Range (&ranges)[N], std::uint32_t c) {
    for (const Range& each : ranges)
        if (c >= each.first && c <= each.last) return true;
    return false;
}

std::uint32_t decode(const char* at, std::size_t length) {
    std::uint32_t c = static_cast<Byte>(at[0]) & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) c = (c << 6) | (static_cast<Byte>(at[i]) & 0x3Fu);
    return c;
}

}  // namespace

std::size_t charLength(const char* at, const char* end) {
    const auto* p = reinterpret_cast<const Byte*>(at);
    const auto left = static_cast<std::size_t>(end - at);
    if (p[0] < 0x80) return p[0] >= 0x20 || p[0] == '\t' || p[0] == '\n' || p[0] == '\r' ? 1 : 0;
    if (p[0] < 0xE0) return twoBytes(p, left);
    return p[0] < 0xF0 ? threeBytes(p, left) : fourBytes(p, left);
}

/// Most texts are short and of printable ASCII: eight bytes at a time, the last ones once more where they are fewer.
bool isChars(std::string_view text) {
    constexpr std::uint64_t high = 0x8080808080808080u, spaces = 0x2020202020202020u;
    const auto printable = [](const char* at) {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        return (word & high) == 0 && (((word | high) - spaces) & high) == high;
    };
    if (text.size() >= 8) {
        std::size_t at = 0;
        while (at + 8 <= text.size() && printable(text.data() + at)) at += 8;
        if (at + 8 > text.size() && printable(text.data() + text.size() - 8)) return true;
    } else {
        std::size_t at = 0;
        while (at < text.size() && static_cast<Byte>(text[at]) >= 0x20 && static_cast<Byte>(text[at]) < 0x80) ++at;
        if (at == text.size()) return true;
    }
    return scan(text, text.size()).valid == text.size();
}

bool isNcName(std::string_view text) {
    if (text.empty()) return false;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (bool first = true; at < end; first = false) {
        const auto byte = static_cast<Byte>(*at);
        if (byte < 0x80) {
            if (nameClass[byte] == 0 || (first && nameClass[byte] == 2)) return false;
            ++at;
            continue;
        }
        const std::size_t length = charLength(at, end);
        if (length == 0) return false;
        const std::uint32_t c = decode(at, length);
        if (!within(nameStart, c) && (first || !within(nameRest, c))) return false;
        at += length;
    }
    return true;
}

void appendPrintable(std::string& out, std::string_view text, std::size_t limit) {
    const char* at = text.data();
    const char* const end = at + text.size();
    const std::size_t whole = out.size() + limit;
    while (at < end) {
        if (out.size() >= whole) {
            out += "...";
            return;
        }
        std::size_t length = charLength(at, end);
        // C0, DEL, C1 and the two line separators: nothing that a terminal or a log could take for more than a letter.
        const std::uint32_t c = length == 0 ? 0 : length == 1 ? static_cast<Byte>(*at) : decode(at, length);
        const bool plain = c >= 0x20 && !(c >= 0x7F && c < 0xA0) && c != 0x2028 && c != 0x2029;
        if (length == 0) length = 1;
        if (plain)
            out.append(at, length);
        else
            out += '?';
        at += length;
    }
}

}  // namespace postbus::xml
