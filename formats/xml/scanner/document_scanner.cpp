#include "formats/xml/scanner/document_scanner.hpp"

#include <cstring>
#include <new>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/runs.hpp"

namespace postbus::xml {
namespace {

// Zero bytes behind the document: a block or a word that begins in it, or at its end, may be read (block.hpp,
// words.hpp), and the namespace of the prefix xml may be put there.
constexpr std::size_t roomBehind = 64;
static_assert(roomBehind > xmlNamespace.size());

}  // namespace

bool DocumentScanner::scan(std::string_view document, const Limits& limits, Tape& tape) {
    bool ours = false;
    try {
        ours = !document.empty() && read(document, limits, tape);
    } catch (const std::bad_alloc&) {  // it is then for the other reader to say so
    }
    if (!ours) tape.clear();
    return ours;
}

bool DocumentScanner::read(std::string_view document, const Limits& limits, Tape& tape) {
    limits_ = limits;
    line_ = 1;
    open_.clear();
    begin_ = builder_.begin(tape, document, roomBehind);
    end_ = begin_ + document.size();
    names_.begin(builder_, limits_, begin_, document.size());

    char* at = prolog(begin_);
    if (at) at = startTag(at);
    if (at) at = content(at);
    if (at) at = misc(at);
    if (at != end_) return false;

    std::size_t size = document.size();
    if (names_.usesXml()) {
        std::memcpy(end_, xmlNamespace.data(), xmlNamespace.size());
        size += xmlNamespace.size();
    }
    builder_.finish(size);
    return true;
}

char* DocumentScanner::prolog(char* at) {
    if (std::string_view(at, 5) == "<?xml") at = xmlDeclaration(at + 5);
    if (at) at = misc(at);
    return at && *at == '<' ? at + 1 : nullptr;
}

/// White space and comments, as they stand around the root element.
char* DocumentScanner::misc(char* at) {
    while (true) {
        at = spaces(at);
        if (std::string_view(at, 4) != "<!--") return at;
        at = comment(at + 4);
        if (!at) return nullptr;
    }
}

/// The text before the next tag, as a node when there is any. Returns the tag's '<'.
inline char* DocumentScanner::text(char* at) {
    if (*at == '<' && at[1] != '!') return at;
    const std::uint32_t line = line_;
    char* const start = at;
    at = runOfText(at, line_);
    if (*at != '<' || at[1] == '!') return mixedText(start, at, line);
    if (at != start) {
        if (!room(2)) return nullptr;
        builder_.text(offset(start), static_cast<std::uint32_t>(at - start), line);
    }
    return at;
}

/// From behind the root's start tag to behind its end tag.
char* DocumentScanner::content(char* at) {
    while (!open_.empty()) {
        at = text(at);
        if (!at) return nullptr;
        at = at[1] == '/' ? endTag(at + 2) : startTag(at + 1);
        if (!at) return nullptr;
    }
    return at;
}

}  // namespace postbus::xml
