#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace postbus::http {

/// Which characters HTTP and URIs allow where. One table of flags: a check is a look-up.
namespace chars {

inline constexpr std::uint8_t token = 1;      ///< RFC 9110 section 5.6.2: methods and names
inline constexpr std::uint8_t value = 2;      ///< RFC 9110 section 5.5: field values, tabs and obs-text included
inline constexpr std::uint8_t path = 4;       ///< RFC 3986 section 3.3: pchar and '/', without '%'
inline constexpr std::uint8_t query = 8;      ///< what clients send in queries: printable ASCII but for # " < >
inline constexpr std::uint8_t hostName = 16;  ///< letters, digits and - . _ ~: what a host name may hold here
inline constexpr std::uint8_t hex = 32;
inline constexpr std::uint8_t digit = 64;

namespace detail {

constexpr bool among(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

constexpr std::uint8_t flagsOf(int code) {
    const char c = static_cast<char>(code);
    const bool isDigit = code >= '0' && code <= '9';
    const bool isLetter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    const bool printable = code > 0x20 && code < 0x7f;
    std::uint8_t flags = 0;
    if (isDigit || isLetter || (printable && among(c, "!#$%&'*+-.^_`|~"))) flags |= token;
    if (code == '\t' || (code >= 0x20 && code != 0x7f)) flags |= value;
    if (isDigit || isLetter || (printable && among(c, "-._~!$&'()*+,;=:@/"))) flags |= path;
    if (printable && !among(c, "#\"<>")) flags |= query;
    if (isDigit || isLetter || (printable && among(c, "-._~"))) flags |= hostName;
    if (isDigit || (code >= 'a' && code <= 'f') || (code >= 'A' && code <= 'F')) flags |= hex;
    if (isDigit) flags |= digit;
    return flags;
}

constexpr std::array<std::uint8_t, 256> makeTable() {
    std::array<std::uint8_t, 256> made{};
    for (int i = 0; i < 256; ++i) made[static_cast<std::size_t>(i)] = flagsOf(i);
    return made;
}

inline constexpr std::array<std::uint8_t, 256> table = makeTable();

}  // namespace detail

inline bool is(char c, std::uint8_t flag) { return detail::table[static_cast<std::uint8_t>(c)] & flag; }

/// Whether there is at least one character and all are of the kind.
inline bool all(std::string_view text, std::uint8_t flag) {
    std::uint8_t seen = flag;
    for (const char c : text) seen &= detail::table[static_cast<std::uint8_t>(c)];
    return !text.empty() && (seen & flag);
}

/// As all(text, value), for texts that may be empty: eight bytes at a time, since values are long and nearly always
/// good.
inline bool allValue(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    while (text.size() >= sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, text.data(), sizeof word);
        const std::uint64_t below = (word - ones * 0x20) & ~word & highs;
        const std::uint64_t delete7f = word ^ ones * 0x7f;
        if (below | ((delete7f - ones) & ~delete7f & highs)) break;  // perhaps a tab: byte by byte
        text.remove_prefix(sizeof word);
    }
    return text.empty() || all(text, value);
}

/// The value of a hexadecimal digit; `c` must be one.
inline unsigned hexValue(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10); }

}  // namespace chars

/// Without blanks and tabs at both ends (RFC 9110 section 5.6.3).
inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

/// Calls visit(element) for the elements of a comma-separated list (RFC 9110 section 5.6.1), empty ones left out. For
/// lists without quoted strings.
template <class Visit>
void forEachElement(std::string_view list, Visit&& visit) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        const std::string_view element = trimmed(list.substr(0, comma));
        if (!element.empty()) visit(element);
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

}  // namespace postbus::http
