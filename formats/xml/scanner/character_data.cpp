// Text, references, CDATA sections and comments: what stands between tags.
#include <cstring>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/block.hpp"
#include "formats/xml/scanner/document_scanner.hpp"
#include "formats/xml/scanner/references.hpp"

namespace postbus::xml {
namespace {

/// Runs on until `stops` says so of a block, and counts the lines on the way.
template <class Stops>
char* run(char* at, std::uint32_t& line, Stops stops) {
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

/// Characters that are not ASCII; null where it begins with none.
char* beyondAscii(char* at, const char* end) {
    while (static_cast<unsigned char>(*at) >= 0x80) {
        const std::size_t length = charLength(at, end);
        if (length == 0) return nullptr;
        at += length;
    }
    return at;
}

bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

/// The text before the next tag, as a node when there is any. Returns the tag's '<'.
char* DocumentScanner::text(char* at) {
    const std::uint32_t line = line_;
    char* const start = at;
    at = plainText(at);
    if (*at != '<' || at[1] == '!') return mixedText(start, at, line);
    if (at != start) {
        if (!room(2)) return nullptr;
        builder_.text(offset(start), static_cast<std::uint32_t>(at - start), line);
    }
    return at;
}

char* DocumentScanner::plainText(char* at) {
    return run(at, line_, [](const Block& block) { return block.textStops(); });
}

/// Text that was plain from `start` to `at`, and then is not. What it stands for is put together from `start` on: of
/// what is dropped, spaces stay behind it, so that no character is cut in the tape's text.
char* DocumentScanner::mixedText(char* start, char* at, std::uint32_t line) {
    if (!room(2)) return nullptr;  // libxml2's reader asks for room at each piece of a text, this one once
    char* out = at;
    while (*at != '<' || at[1] == '!') {
        at = textPiece(at, out);
        if (!at) return nullptr;
        char* const more = plainText(at);
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
            *out++ = '\n';
            if (at[1] != '\n') return at + 1;
            ++line_;
            return at + 2;
        case ']':
            if (at[1] == ']' && at[2] == '>') return nullptr;
            *out++ = ']';
            return at + 1;
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
        at = run(at, line_, [](const Block& block) { return block.commentStops(); });
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
        char* const more = run(at, line_, [](const Block& block) { return block.sectionStops(); });
        moveTo(out, at, more);
        at = more;
        if (*at == ']' && at[1] == ']' && at[2] == '>') return at + 3;
        at = textPiece(at, out);
        if (!at) return nullptr;
    }
}

}  // namespace postbus::xml
