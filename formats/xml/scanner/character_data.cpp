// Text, references, CDATA sections and comments: what stands between tags.
#include <cstring>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/document_scanner.hpp"
#include "formats/xml/scanner/references.hpp"
#include "formats/xml/scanner/runs.hpp"

namespace postbus::xml {
namespace {

bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// The length of a character of two or three bytes whose first one allows all that may follow: nearly all are. Else 0.
std::size_t frequentLength(const char* at) {
    const auto first = static_cast<unsigned char>(*at);
    const auto continues = [at](int i) { return static_cast<signed char>(at[i]) < -0x40; };
    if (first >= 0xC2 && first < 0xE0) return continues(1) ? 2 : 0;
    return first > 0xE0 && first < 0xED && continues(1) && continues(2) ? 3 : 0;
}

/// Characters that are not ASCII; null where it begins with none.
char* beyondAscii(char* at, const char* end) {
    while (!isAscii(*at)) {
        std::size_t length = frequentLength(at);
        if (length == 0) length = charLength(at, end);
        if (length == 0) return nullptr;
        at += length;
    }
    return at;
}

}  // namespace

/// Text that was plain from `start` to `at`, and then is not. What it stands for is put together from `start` on: of
/// what is dropped, spaces stay behind it, so that no character is cut in the tape's text.
char* DocumentScanner::mixedText(char* start, char* at, std::uint32_t line) {
    if (!room(2)) return nullptr;  // libxml2's reader asks for room at each piece of a text, this one once
    char* out = at;
    while (*at != '<' || at[1] == '!') {
        at = textPiece(at, out);
        if (!at) return nullptr;
        char* const more = runOfText(at, line_);
        moveTo(out, at, more);
        at = more;
    }
    std::memset(out, ' ', static_cast<std::size_t>(at - out));
    if (out != start) builder_.text(offset(start), static_cast<std::uint32_t>(out - start), line);
    return at;
}

/// What ended a run of plain text and belongs to the text all the same.
char* DocumentScanner::textPiece(char* at, char*& out) {
    switch (*at) {
        case '&':
            return readReference(at, out);
        case '\r':  // XML 1.0 section 2.11
            for (; *at == '\r'; ++at) {
                *out++ = '\n';
                if (at[1] != '\n') continue;
                ++at;
                ++line_;
            }
            return at;
        case ']':
            for (; *at == ']'; *out++ = *at++)
                if (at[1] == ']' && at[2] == '>') return nullptr;
            return at;
        case '<':
            if (std::string_view(at, 4) == "<!--") return comment(at + 4);
            return std::string_view(at, 9) == "<![CDATA[" ? section(at + 9, out) : nullptr;
        default:
            if (isAscii(*at)) return nullptr;
            char* const more = beyondAscii(at, end_);
            if (more) moveTo(out, at, more);
            return more;
    }
}

/// From behind "<!--".
char* DocumentScanner::comment(char* at) {
    while (true) {
        at = runOver(at, line_, [](const Block& block) { return block.commentStops(); });
        if (*at == '-') {
            if (at[1] == '-') return at[2] == '>' ? at + 3 : nullptr;
            ++at;
        } else {
            if (isAscii(*at)) return nullptr;
            at = beyondAscii(at, end_);
            if (!at) return nullptr;
        }
    }
}

/// From behind "<![CDATA[".
char* DocumentScanner::section(char* at, char*& out) {
    while (true) {
        char* const more = runOver(at, line_, [](const Block& block) { return block.sectionStops(); });
        moveTo(out, at, more);
        at = more;
        if (*at != ']') {
            at = textPiece(at, out);
            if (!at) return nullptr;
        }
        for (; *at == ']'; *out++ = *at++)
            if (at[1] == ']' && at[2] == '>') return at + 3;
    }
}

}  // namespace postbus::xml
