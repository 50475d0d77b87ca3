#include "config/path.hpp"

#include <algorithm>
#include <cstdio>

namespace postbus::config {
namespace {

constexpr std::size_t shownBytes = 80;

bool plainSegment(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

Path Path::key(std::string_view name) const {
    Path result = *this;
    if (!empty()) result.text_ += '.';
    if (plainSegment(name)) {
        result.text_ += name;
    } else {
        ((result.text_ += '"') += shown(name)) += '"';
    }
    return result;
}

Path Path::item(std::size_t index) const {
    Path result = *this;
    ((result.text_ += '[') += std::to_string(index)) += ']';
    return result;
}

std::string shown(std::string_view text) {
    std::string_view head = text;
    if (text.size() > shownBytes) {
        std::size_t end = shownBytes;
        while (end > 0 && continuesCharacter(text[end])) --end;
        head = text.substr(0, end);
    }
    std::string out;
    out.reserve(head.size() + 3);
    for (const char c : head) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
            out += escaped;
        } else {
            out += c;
        }
    }
    if (head.size() < text.size()) out += "...";
    return out;
}

std::string inQuotes(std::string_view text) { return "'" + shown(text) + "'"; }

}  // namespace postbus::config
