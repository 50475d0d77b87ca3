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

/// Bytes of the control character that `text` begins with, 0 when it begins with another.
std::size_t controlCharacter(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
    return byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
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

bool hasControlCharacter(std::string_view text) {
    while (!text.empty()) {
        if (controlCharacter(text)) return true;
        text.remove_prefix(1);
    }
    return false;
}

std::string shown(std::string_view text) {
    std::string_view head = text;
    if (text.size() > shownBytes) {
        std::size_t end = shownBytes;
        while (end > 0 && continuesCharacter(text[end])) --end;
        head = text.substr(0, end);
    }
    const bool cut = head.size() < text.size();
    std::string out;
    out.reserve(head.size() + 3);
    while (!head.empty()) {
        const std::size_t length = controlCharacter(head);
        if (length == 0) {
            out += head.front();
        } else if (head.front() == '\n') {
            out += "\\n";
        } else {
            char escaped[8];
            // The last byte of a C1 character in UTF-8 is its code.
            std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(head[length - 1]));
            out += escaped;
        }
        head.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (cut) out += "...";
    return out;
}

std::string inQuotes(std::string_view text) { return "'" + shown(text) + "'"; }

}  // namespace postbus::config
