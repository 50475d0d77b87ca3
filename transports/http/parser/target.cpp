#include "transports/http/parser/target.hpp"

#include "base/utf8.hpp"
#include "transports/http/parser/authority.hpp"
#include "transports/http/parser/characters.hpp"

namespace postbus::http {
namespace {

constexpr Refusal badPath{400, "the path holds a character that a URI does not have; percent-encode it"};

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8Sequence(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// RFC 3986 section 3.3: "." and ".." as whole segments.
bool hasDotSegment(std::string_view path) {
    for (std::size_t at = 0; (at = path.find("/.", at)) != std::string_view::npos; ++at) {
        std::string_view segment = path.substr(at + 1);
        segment = segment.substr(0, segment.find('/'));
        if (segment == "." || segment == "..") return true;
    }
    return false;
}

/// Decodes in place; `path` becomes shorter.
Refusal decode(char* base, Span& path) {
    char* const begin = base + path.at;
    char* const end = begin + path.length;
    char* out = begin;
    bool high = false;
    for (const char* in = begin; in != end;) {
        if (chars::is(*in, chars::path)) {
            *out++ = *in++;
            continue;
        }
        if (*in != '%') return badPath;
        if (end - in < 3 || !chars::is(in[1], chars::hex) || !chars::is(in[2], chars::hex))
            return {400, "the path holds a percent sign that is not followed by two hexadecimal digits"};
        const unsigned code = chars::hexValue(in[1]) << 4 | chars::hexValue(in[2]);
        if (code < 0x20 || code == 0x7f) return {400, "the path holds an encoded control character"};
        if (code == '/' || code == '\\') return {400, "the path holds an encoded slash or backslash"};
        high = high || code >= 0x80;
        *out++ = static_cast<char>(code);
        in += 3;
    }
    path.length = static_cast<std::uint32_t>(out - begin);
    if (high && !isUtf8(path.in(base))) return {400, "the path is not UTF-8 once it is decoded"};
    if (hasDotSegment(path.in(base))) return {400, "the path holds a \".\" or \"..\" segment"};
    return {};
}

}  // namespace

Refusal readTarget(char* base, Span at, Target& target) {
    target = {};
    std::string_view text = at.in(base);
    if (text == "*") {
        target.asterisk = true;
        return {};
    }
    if (text.front() != '/') {
        const std::size_t colon = text.find("://");
        if (colon != 4 && colon != 5) return {400, "the request target is no path; it begins with '/' or http://"};
        if (!sameText(text.substr(0, colon), "http") && !sameText(text.substr(0, colon), "https"))
            return {400, "the request target has a scheme other than http and https"};
        const std::size_t begin = colon + 3;
        const std::size_t end = std::min(text.find_first_of("/?", begin), text.size());
        target.authority = {at.at + static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
        if (!isAuthority(target.authority.in(base))) return {400, "the host in the request target is not valid"};
        at.at += static_cast<std::uint32_t>(end);
        at.length -= static_cast<std::uint32_t>(end);
        text = at.in(base);
    }
    const std::size_t question = std::min(text.find('?'), text.size());
    target.path = {at.at, static_cast<std::uint32_t>(question)};
    if (question < text.size()) {
        target.query = {at.at + static_cast<std::uint32_t>(question) + 1,
                        static_cast<std::uint32_t>(text.size() - question - 1)};
        if (target.query.length && !chars::all(target.query.in(base), chars::query))
            return {400, "the query holds a character that a URI does not have; percent-encode it"};
    }
    if (target.path.length == 0) {
        // http://host and http://host?query mean the path "/" (RFC 9110 section 4.2.3). The byte before is '/' or
        // part of the authority, which has been read already: "://" guarantees one.
        const std::string_view before(base, at.at);
        target.path = {static_cast<std::uint32_t>(before.rfind('/')), 1};
        return {};
    }
    return decode(base, target.path);
}

}  // namespace postbus::http
