#include "formats/xml/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "formats/xml/chars.hpp"
#include "formats/xml/iconv_decoder.hpp"

namespace postbus::xml {
namespace {

enum class Kind { Utf8, Utf16, Utf16Le, Utf16Be, Ascii, Latin1, Iconv };

struct Encoding {
    std::string_view name;  ///< IANA's, in lower case
    Kind kind;
    const char* iconv = nullptr;
};

// A fixed list: iconv's own names reach from EBCDIC to modules that nobody has looked at for years.
constexpr Encoding encodings[] = {
    {"utf-8", Kind::Utf8},
    {"utf8", Kind::Utf8},
    {"utf-16", Kind::Utf16},
    {"utf-16le", Kind::Utf16Le},
    {"utf-16be", Kind::Utf16Be},
    {"us-ascii", Kind::Ascii},
    {"ascii", Kind::Ascii},
    {"iso-8859-1", Kind::Latin1},
    {"iso8859-1", Kind::Latin1},
    {"iso_8859-1", Kind::Latin1},
    {"latin1", Kind::Latin1},
    {"iso-8859-2", Kind::Iconv, "ISO-8859-2"},
    {"iso-8859-3", Kind::Iconv, "ISO-8859-3"},
    {"iso-8859-4", Kind::Iconv, "ISO-8859-4"},
    {"iso-8859-5", Kind::Iconv, "ISO-8859-5"},
    {"iso-8859-6", Kind::Iconv, "ISO-8859-6"},
    {"iso-8859-7", Kind::Iconv, "ISO-8859-7"},
    {"iso-8859-8", Kind::Iconv, "ISO-8859-8"},
    {"iso-8859-9", Kind::Iconv, "ISO-8859-9"},
    {"iso-8859-10", Kind::Iconv, "ISO-8859-10"},
    {"iso-8859-13", Kind::Iconv, "ISO-8859-13"},
    {"iso-8859-14", Kind::Iconv, "ISO-8859-14"},
    {"iso-8859-15", Kind::Iconv, "ISO-8859-15"},
    {"iso-8859-16", Kind::Iconv, "ISO-8859-16"},
    {"windows-1250", Kind::Iconv, "WINDOWS-1250"},
    {"windows-1251", Kind::Iconv, "WINDOWS-1251"},
    {"windows-1252", Kind::Iconv, "WINDOWS-1252"},
    {"windows-1253", Kind::Iconv, "WINDOWS-1253"},
    {"windows-1254", Kind::Iconv, "WINDOWS-1254"},
    {"windows-1255", Kind::Iconv, "WINDOWS-1255"},
    {"windows-1256", Kind::Iconv, "WINDOWS-1256"},
    {"windows-1257", Kind::Iconv, "WINDOWS-1257"},
    {"windows-1258", Kind::Iconv, "WINDOWS-1258"},
    {"koi8-r", Kind::Iconv, "KOI8-R"},
    {"koi8-u", Kind::Iconv, "KOI8-U"},
    {"shift_jis", Kind::Iconv, "SHIFT_JIS"},
    {"euc-jp", Kind::Iconv, "EUC-JP"},
    {"iso-2022-jp", Kind::Iconv, "ISO-2022-JP"},
    {"euc-kr", Kind::Iconv, "EUC-KR"},
    {"gb2312", Kind::Iconv, "EUC-CN"},
    {"gbk", Kind::Iconv, "GBK"},
    {"gb18030", Kind::Iconv, "GB18030"},
    {"big5", Kind::Iconv, "BIG5"},
    {"tis-620", Kind::Iconv, "TIS-620"},
};

const Encoding* find(std::string_view name) {
    const auto same = [name](const Encoding& each) {
        return std::equal(each.name.begin(), each.name.end(), name.begin(), name.end(),
                          [](char lower, char any) { return lower == (any >= 'A' && any <= 'Z' ? any + 32 : any); });
    };
    const auto* found = std::find_if(std::begin(encodings), std::end(encodings), same);
    return found == std::end(encodings) ? nullptr : found;
}

Error unsupported(std::string_view name) {
    std::string message = "the encoding '";
    appendPrintable(message, name, 40);
    return {Error::Kind::Unsupported, message + "' is not supported; send UTF-8"};
}

bool starts(std::string_view bytes, std::string_view with) { return bytes.starts_with(with); }

void appendUtf8(std::string& out, std::uint32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

Result<std::string_view> fromLatin1(std::string_view bytes, std::string& memory) {
    memory.clear();
    for (const char each : bytes) appendUtf8(memory, static_cast<unsigned char>(each));
    return std::string_view(memory);
}

Result<std::string_view> fromAscii(std::string_view bytes) {
    const auto* bad =
        std::find_if(bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) > 127; });
    if (bad == bytes.end()) return bytes;
    return Error::invalid("line " + std::to_string(1 + std::count(bytes.begin(), bad, '\n')) +
                          ": a byte that is not US-ASCII, the encoding that the message claims");
}

Error badUtf16(const std::string& memory) {
    return Error::invalid("line " + std::to_string(1 + std::count(memory.begin(), memory.end(), '\n')) +
                          ": the bytes are not valid UTF-16");
}

Result<std::string_view> fromUtf16(std::string_view bytes, bool bigEndian, std::string& memory) {
    memory.clear();
    const std::size_t high = bigEndian ? 0 : 1;
    const auto unit = [&](std::size_t at) {
        return (std::uint32_t{static_cast<unsigned char>(bytes[at + high])} << 8) |
               static_cast<unsigned char>(bytes[at + 1 - high]);
    };
    for (std::size_t at = 0; at < bytes.size(); at += 2) {
        if (at + 2 > bytes.size()) return badUtf16(memory);
        std::uint32_t c = unit(at);
        if (c >= 0xD800 && c < 0xE000) {  // a pair, or wrong
            const bool pair = c < 0xDC00 && at + 4 <= bytes.size();
            const std::uint32_t low = pair ? unit(at + 2) : 0;
            if (low < 0xDC00 || low >= 0xE000) return badUtf16(memory);
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
            at += 2;
        }
        appendUtf8(memory, c);
    }
    return std::string_view(memory);
}

/// UTF-16 without a mark: by the '<' that every document begins with; else big-endian (RFC 2781 section 4.3).
bool looksLittleEndian(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '<' && bytes[1] == '\0'; }

Result<std::string_view> decode(std::string_view bytes, const Encoding& encoding, std::string& memory) {
    switch (encoding.kind) {
        case Kind::Utf8:
            return bytes;
        case Kind::Utf16:
            return fromUtf16(bytes, !looksLittleEndian(bytes), memory);
        case Kind::Utf16Le:
            return fromUtf16(bytes, false, memory);
        case Kind::Utf16Be:
            return fromUtf16(bytes, true, memory);
        case Kind::Ascii:
            return fromAscii(bytes);
        case Kind::Latin1:
            return fromLatin1(bytes, memory);
        case Kind::Iconv:
            return iconvToUtf8(bytes, encoding.iconv, memory);
    }
    return unsupported(encoding.name);
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view skipSpace(std::string_view text) {
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    return text;
}

}  // namespace

std::string_view declaredEncoding(std::string_view bytes) {
    if (!starts(bytes, "<?xml") || bytes.size() < 6 || !isSpace(bytes[5])) return {};
    std::string_view rest = bytes.substr(5, std::min<std::size_t>(bytes.find("?>"), 1024));
    while (true) {  // pseudo-attributes: name = "value"
        rest = skipSpace(rest);
        const std::size_t nameEnd = rest.find_first_of("= \t\r\n");
        if (nameEnd == std::string_view::npos) return {};
        const std::string_view name = rest.substr(0, nameEnd);
        rest = skipSpace(rest.substr(nameEnd));
        if (!starts(rest, "=")) return {};
        rest = skipSpace(rest.substr(1));
        if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return {};
        const std::size_t close = rest.find(rest[0], 1);
        if (close == std::string_view::npos) return {};
        if (name == "encoding") return rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
    }
}

Result<std::string_view> toUtf8(std::string_view bytes, std::string_view charset, std::string& memory) {
    using namespace std::string_view_literals;
    if (starts(bytes, "\xEF\xBB\xBF")) return bytes.substr(3);
    if (starts(bytes, "\xFF\xFE\0\0"sv) || starts(bytes, "\0\0\xFE\xFF"sv)) return unsupported("UTF-32");
    if (starts(bytes, "\xFF\xFE")) return fromUtf16(bytes.substr(2), false, memory);
    if (starts(bytes, "\xFE\xFF")) return fromUtf16(bytes.substr(2), true, memory);
    if (!charset.empty()) {
        const Encoding* const encoding = find(charset);
        return encoding ? decode(bytes, *encoding, memory) : unsupported(charset);
    }
    // XML 1.0 appendix F: the first characters tell UTF-16 from all that has ASCII in its lower half.
    if (starts(bytes, "<\0"sv)) return fromUtf16(bytes, false, memory);
    if (starts(bytes, "\0<"sv)) return fromUtf16(bytes, true, memory);
    const std::string_view declared = declaredEncoding(bytes);
    if (declared.empty()) return bytes;
    const Encoding* const encoding = find(declared);
    if (!encoding) return unsupported(declared);
    if (encoding->kind == Kind::Utf16 || encoding->kind == Kind::Utf16Le || encoding->kind == Kind::Utf16Be)
        return Error::invalid("line 1: the XML declaration says UTF-16, and the bytes are not");
    return decode(bytes, *encoding, memory);
}

}  // namespace postbus::xml
