#include "formats/json/writer.hpp"

#include <charconv>
#include <cmath>

namespace postbus::json {
namespace {

bool continues(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

/// Length of the UTF-8 sequence that begins at `at`; 0 when there is none (RFC 3629 section 4).
std::size_t sequence(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) return 1;
    const auto second = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
    if (lead >= 0xc2 && lead <= 0xdf) return continues(text, at + 1) ? 2 : 0;
    if (lead >= 0xe0 && lead <= 0xef) {
        const bool overlong = lead == 0xe0 && second < 0xa0, surrogate = lead == 0xed && second > 0x9f;
        return continues(text, at + 1) && continues(text, at + 2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const bool overlong = lead == 0xf0 && second < 0x90, beyond = lead == 0xf4 && second > 0x8f;
        const bool whole = continues(text, at + 1) && continues(text, at + 2) && continues(text, at + 3);
        return whole && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

void escape(Buffer& out, unsigned char c) {
    constexpr char digits[] = "0123456789abcdef";
    switch (c) {
        case '\n':
            return out.append("\\n");
        case '\r':
            return out.append("\\r");
        case '\t':
            return out.append("\\t");
        case '"':
            return out.append("\\\"");
        case '\\':
            return out.append("\\\\");
        default:
            out.append("\\u00");
            out.append(digits[c >> 4]);
            out.append(digits[c & 15]);
    }
}

}  // namespace

void Writer::separate() {
    if (!first_ && !afterKey_) out_.append(',');
    first_ = afterKey_ = false;
}

void Writer::open(char bracket) {
    separate();
    out_.append(bracket);
    first_ = true;
}

void Writer::close(char bracket) {
    out_.append(bracket);
    first_ = false;
}

void Writer::key(std::string_view name) {
    separate();
    quoted(name);
    out_.append(':');
    afterKey_ = true;
}

void Writer::value(std::string_view text) {
    separate();
    quoted(text);
}

void Writer::value(bool flag) {
    separate();
    out_.append(flag ? "true" : "false");
}

void Writer::value(double number) {
    if (!std::isfinite(number)) return null();
    separate();
    char digits[32];
    out_.append({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

void Writer::null() {
    separate();
    out_.append("null");
}

void Writer::integer(std::int64_t number) {
    separate();
    char digits[24];
    out_.append({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

void Writer::natural(std::uint64_t number) {
    separate();
    char digits[24];
    out_.append({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

void Writer::quoted(std::string_view text) {
    out_.append('"');
    std::size_t plain = 0;  // where the run that can be copied as it is begins
    for (std::size_t at = 0; at < text.size();) {
        const auto c = static_cast<unsigned char>(text[at]);
        const std::size_t length = sequence(text, at);
        if (length && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
            at += length;
            continue;
        }
        out_.append(text.substr(plain, at - plain));
        if (length)
            escape(out_, c);
        else
            out_.append("\xef\xbf\xbd");
        plain = ++at;
    }
    out_.append(text.substr(plain));
    out_.append('"');
}

}  // namespace postbus::json
