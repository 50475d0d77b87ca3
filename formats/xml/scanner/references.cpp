#include "formats/xml/scanner/references.hpp"

#include <cstdint>
#include <string_view>

namespace postbus::xml {
namespace {

constexpr std::uint32_t beyond = 0x110000;

struct Entity {
    std::string_view name;
    char character;
};
constexpr Entity entities[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};

/// The value of a digit; `base` or more when it is none.
std::uint32_t digit(char c, bool hexadecimal) {
    if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
    if (!hexadecimal) return beyond;
    if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
    return beyond;
}

bool isChar(std::uint32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    return c < 0xD800 || (c >= 0xE000 && c < 0xFFFE) || (c >= 0x10000 && c < beyond);
}

void write(std::uint32_t c, char*& out) {
    const auto rest = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
        *out++ = static_cast<char>(c);
        return;
    }
    if (c < 0x800) {
        *out++ = static_cast<char>(0xC0 | (c >> 6));
    } else if (c < 0x10000) {
        *out++ = static_cast<char>(0xE0 | (c >> 12));
        *out++ = rest(6);
    } else {
        *out++ = static_cast<char>(0xF0 | (c >> 18));
        *out++ = rest(12);
        *out++ = rest(6);
    }
    *out++ = rest(0);
}

/// `at` is behind "&#".
char* readCharacter(char* at, char*& out) {
    const bool hexadecimal = *at == 'x';
    if (hexadecimal) ++at;
    const std::uint32_t base = hexadecimal ? 16 : 10;
    const char* const first = at;
    std::uint32_t value = 0;
    for (std::uint32_t next; (next = digit(*at, hexadecimal)) < base; ++at)
        if (value < beyond) value = value * base + next;  // any number of zeros may stand in front
    if (at == first || *at != ';' || !isChar(value)) return nullptr;
    write(value, out);
    return at + 1;
}

}  // namespace

char* readReference(char* at, char*& out) {
    ++at;
    if (*at == '#') return readCharacter(at + 1, out);
    for (const Entity& each : entities)
        if (std::string_view(at, each.name.size()) == each.name) {
            *out++ = each.character;
            return at + each.name.size();
        }
    return nullptr;
}

}  // namespace postbus::xml
