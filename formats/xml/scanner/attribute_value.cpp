// Attribute values and their normalisation (XML 1.0 section 3.3.3). Without a document type declaration all attributes
// are CDATA: no space is taken away.
#include <cstring>

#include "formats/xml/chars.hpp"
#include "formats/xml/scanner/document_scanner.hpp"
#include "formats/xml/scanner/references.hpp"
#include "formats/xml/scanner/runs.hpp"

namespace postbus::xml {

/// A value that was plain from `start` to `at`, and then is not. Returns its closing quote. Behind what it is then,
/// spaces stay (see mixedText()).
char* DocumentScanner::mixedValue(char* start, char* at, char quote, Piece& value) {
    char* out = at;
    while (*at != quote) {
        char* const piece = at;
        if (*at == '&') {
            at = readReference(at, out);
            if (!at) return nullptr;
        } else if (*at == '\t' || *at == '\n' || *at == '\r') {
            if (*at == '\r' && at[1] == '\n') ++at;
            line_ += *at == '\n';
            *out++ = ' ';
            ++at;
        } else {
            const std::size_t length = charLength(at, end_);
            if (length < 2) return nullptr;  // '<', or no Char
            at += length;
            moveTo(out, piece, at);
        }
        char* const more = runOfValue(at, quote);
        moveTo(out, at, more);
        at = more;
    }
    std::memset(out, ' ', static_cast<std::size_t>(at - out));
    value = {start, static_cast<std::uint32_t>(out - start)};
    return at;
}

}  // namespace postbus::xml
