#include "formats/xml/parse.hpp"

#include "formats/xml/chars.hpp"
#include "formats/xml/encoding.hpp"
#include "formats/xml/readers.hpp"
#include "formats/xml/sax_parser.hpp"
#include "formats/xml/scan.hpp"
#include "formats/xml/scanner/document_scanner.hpp"

namespace postbus::xml {
namespace {

// Offsets in a tape are 32 bits and libxml2's lengths are int; far below both.
constexpr std::size_t largestDocument = std::size_t{512} << 20;
constexpr std::size_t keptMemory = 256 * 1024;

Error atLine(std::string_view document, std::size_t offset, const std::string& message) {
    return Error::invalid("line " + std::to_string(lineAt(document, offset)) + ": " + message);
}

std::string hex(unsigned value, int digits) {
    std::string text;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789ABCDEF"[(value >> shift) & 15];
    return text;
}

Error badByte(std::string_view document, std::size_t offset) {
    const auto byte = static_cast<unsigned char>(document[offset]);
    if (byte < 0x80) return atLine(document, offset, "the character U+" + hex(byte, 4) + " is not allowed in XML");
    // Well-formed UTF-8 for U+FFFE and U+FFFF, which are no characters of XML.
    const std::string_view there = document.substr(offset, 3);
    if (there == "\xEF\xBF\xBE" || there == "\xEF\xBF\xBF")
        return atLine(document, offset,
                      std::string("the character U+FFF") + (there[2] == '\xBE' ? 'E' : 'F') + " is not allowed in XML");
    return atLine(document, offset, "the byte 0x" + hex(byte, 2) + " begins no valid character of UTF-8");
}

/// One pass over all bytes: what libxml2 would let pass or would take too long for.
Result<void> check(std::string_view document, const Limits& limits) {
    const Scan found = scan(document, shortestAttribute * std::size_t{limits.attributes});
    if (found.valid < document.size()) return badByte(document, found.valid);
    if (!found.longTag) return ok();
    const std::size_t crowded = findCrowdedTag(document, limits.attributes);
    if (crowded == std::string_view::npos) return ok();
    return atLine(document, crowded,
                  "an element has more attributes than the limit of " + std::to_string(limits.attributes));
}

}  // namespace

bool readByScanner(std::string_view document, const Limits& limits, Tape& tape) {
    thread_local DocumentScanner scanner;
    return scanner.scan(document, limits, tape);
}

Result<void> readByLibxml2(std::string_view document, const Limits& limits, Tape& tape) {
    thread_local SaxParser parser;
    tape.clear();
    auto checked = check(document, limits);
    return checked ? parser.parse(document, limits, tape) : checked;
}

Result<void> parse(std::string_view bytes, std::string_view charset, const Limits& limits, Tape& tape) {
    thread_local std::string memory;

    tape.clear();
    if (bytes.empty()) return Error::invalid("the document is empty");
    if (bytes.size() > largestDocument) return Error(Error::Kind::TooLarge, "the document is larger than 512 MiB");
    auto document = toUtf8(bytes, charset, memory);
    if (!document) return std::move(document).error();
    if (document->empty()) return Error::invalid("the document is empty");

    if (document->starts_with("\xEF\xBB\xBF")) return Error::invalid("line 1: a second byte order mark");

    auto result = readByScanner(*document, limits, tape) ? ok() : readByLibxml2(*document, limits, tape);
    if (memory.capacity() > keptMemory) memory = {};
    return result;
}

}  // namespace postbus::xml
