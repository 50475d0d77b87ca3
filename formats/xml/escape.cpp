#include <array>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "formats/xml/chars.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::xml {
namespace {

/// What stands for a character in text and in attribute values; empty for one that stands for itself. A parser turns CR
/// into LF, and in an attribute tab and LF into spaces: only references survive.
struct Escapes {
    std::array<std::string_view, 128> of{};
    std::array<bool, 256> plain{};  ///< copied as it is, without a further look
};
constexpr Escapes make(bool attribute) {
    Escapes escapes;
    for (int c = 0x20; c < 0x80; ++c) escapes.plain[static_cast<std::size_t>(c)] = true;
    escapes.plain['\t'] = escapes.plain['\n'] = true;
    escapes.of['&'] = "&amp;";
    escapes.of['<'] = "&lt;";
    escapes.of['>'] = "&gt;";
    escapes.of['\r'] = "&#13;";
    if (attribute) {
        escapes.of['"'] = "&quot;";
        escapes.of['\t'] = "&#9;";
        escapes.of['\n'] = "&#10;";
    }
    for (std::size_t c = 0; c < 0x80; ++c) escapes.plain[c] = escapes.plain[c] && escapes.of[c].empty();
    return escapes;
}
constexpr Escapes inText = make(false);
constexpr Escapes inAttribute = make(true);

#if defined(__SSE2__)
/// Bit i: byte i needs a look, being special, a control character or not ASCII.
unsigned special(__m128i block) {
    const auto is = [block](char c) { return _mm_cmpeq_epi8(block, _mm_set1_epi8(c)); };
    const __m128i plain = _mm_cmpgt_epi8(block, _mm_set1_epi8(0x1F));  // signed: bytes from 0x80 are less
    const __m128i markup = _mm_or_si128(_mm_or_si128(is('&'), is('<')), _mm_or_si128(is('>'), is('"')));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_andnot_si128(markup, plain))) ^ 0xFFFFu;
}
#endif

/// The first character from `at` that is not to be copied as it is: one with an escape, or none that XML allows.
const char* skipPlain(const char* at, const char* end, const Escapes& escapes) {
    while (at < end) {
#if defined(__SSE2__)
        if (end - at >= 16) {
            const unsigned found = special(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
            if (found == 0) {
                at += 16;
                continue;
            }
            at += __builtin_ctz(found);
        }
#endif
        const auto byte = static_cast<unsigned char>(*at);
        if (escapes.plain[byte]) {
            ++at;
            continue;
        }
        if (byte < 0x80) return at;
        const std::size_t length = charLength(at, end);
        if (length == 0) return at;
        at += length;
    }
    return end;
}

bool append(Buffer& out, std::string_view text, const Escapes& escapes) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        const char* const stop = skipPlain(at, end, escapes);
        out.append({at, static_cast<std::size_t>(stop - at)});
        if (stop == end) return true;
        const auto byte = static_cast<unsigned char>(*stop);
        if (byte >= 0x80 || escapes.of[byte].empty()) return false;
        out.append(escapes.of[byte]);
        at = stop + 1;
    }
}

}  // namespace

bool appendText(Buffer& out, std::string_view text) { return append(out, text, inText); }
bool appendAttributeValue(Buffer& out, std::string_view value) { return append(out, value, inAttribute); }

}  // namespace postbus::xml
