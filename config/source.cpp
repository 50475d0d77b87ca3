#include "config/source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "config/problems.hpp"

namespace postbus::config {
namespace {

constexpr std::uint32_t malformed = 0xffffffff;

struct Decoded {
    std::uint32_t character = malformed;
    std::size_t length = 1;
};

/// One character of UTF-8 as RFC 3629 section 4 defines it: no overlong form, no surrogate, nothing over U+10FFFF.
Decoded decode(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = at(0);
    if (first < 0x80) return {first, 1};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
    std::uint32_t character = first & (0x7f >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xc0) != 0x80) return {};
        character = (character << 6) | (at(i) & 0x3f);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = character >= 0xd800 && character <= 0xdfff;
    if (character < smallest[length] || surrogate || character > 0x10ffff) return {};
    return {character, length};
}

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// YAML 1.2 section 5.1, c-printable, and the byte order mark apart.
bool printable(std::uint32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    return (c <= 0x7e) || c == 0x85 || (c >= 0xa0 && c != 0xfeff && c != 0xfffe && c != 0xffff);
}

std::string code(std::uint32_t character) {
    char text[16];
    std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(character));
    return text;
}

}  // namespace

std::string Place::text() const {
    if (!source) return {};
    if (!source->hasLines()) return source->name();
    const auto [line, column] = source->position(offset);
    return source->name() + ":" + std::to_string(line) + ":" + std::to_string(column);
}

bool Place::before(const Place& other) const {
    const auto order = [](const Place& p) { return std::pair(p.source ? p.source->order() : 0, p.offset); };
    return order(*this) < order(other);
}

std::string Place::lineText() const {
    if (!source || !source->hasLines()) return text();
    return "line " + std::to_string(source->position(offset).line);
}

Source::Source(std::string name, std::string text, bool hasLines, std::size_t order)
    : name_(std::move(name)), text_(std::move(text)), hasLines_(hasLines), order_(order) {
    if (text_.compare(0, 3, "\xef\xbb\xbf") == 0) text_.erase(0, 3);
    starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') starts_.push_back(i + 1);
}

bool Source::check(Problems& problems) const {
    const auto refuse = [&](std::size_t offset, std::string what) {
        problems.add({this, offset}, {}, std::move(what));
        return false;
    };
    if (text_.size() > maxBytes) return refuse(0, "is larger than 1 MiB, the most a configuration may have");
    const std::string_view start = text().substr(0, 2);
    if (start == "\xff\xfe" || start == "\xfe\xff") return refuse(0, "is UTF-16; save it as UTF-8");
    for (std::size_t i = 0; i < text_.size();) {
        const Decoded next = decode(text().substr(i));
        if (next.character == malformed) return refuse(i, "is not UTF-8 from here on; save the file as UTF-8");
        const bool loneReturn = next.character == '\r' && text().substr(i, 2) != "\r\n";
        if (!printable(next.character) || loneReturn)
            return refuse(i, "the control character " + code(next.character) + " is not allowed");
        i += next.length;
    }
    return true;
}

Place Source::place(int line, int byteColumn) const {
    if (line < 0 || byteColumn < 0) return {this, 0};
    const std::size_t number = std::min(static_cast<std::size_t>(line), starts_.size() - 1);
    return {this, std::min(starts_[number] + static_cast<std::size_t>(byteColumn), text_.size())};
}

std::string_view Source::lineAt(std::size_t offset) const {
    const std::string_view rest = text().substr(starts_[position(offset).line - 1]);
    return rest.substr(0, rest.find_first_of("\r\n"));
}

Source::Position Source::position(std::size_t offset) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const std::string_view before = text().substr(*(after - 1), offset - *(after - 1));
    const auto characters = std::count_if(before.begin(), before.end(), startsCharacter);
    return {static_cast<std::size_t>(after - starts_.begin()), static_cast<std::size_t>(characters) + 1};
}

}  // namespace postbus::config
