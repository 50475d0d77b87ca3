#include "formats/xml/scan.hpp"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "formats/xml/chars.hpp"

namespace postbus::xml {
namespace {

/// Keeps the distance between one '<' and the next.
struct Gaps {
    std::size_t limit;
    std::size_t last = 0;
    bool exceeded = false;

    void seen(std::size_t at, std::size_t newLast) {
        exceeded |= at - last > limit;
        last = newLast;
    }
};

/// Scans from `at` by single characters up to `end`, or a little beyond when a sequence ends there. Where it stopped:
/// before `end` only at what is no Char.
std::size_t scanSlowly(std::string_view text, std::size_t at, std::size_t end, Gaps& gaps) {
    while (at < end) {
        if (text[at] == '<') gaps.seen(at, at);
        const std::size_t length = charLength(text.data() + at, text.data() + text.size());
        if (length == 0) return at;
        at += length;
    }
    return at;
}

#if defined(__SSE2__)
/// Whether a block is plain: ASCII without control characters other than tab, LF and CR.
bool plain(__m128i block) {
    const __m128i printable = _mm_cmpgt_epi8(block, _mm_set1_epi8(0x1F));  // signed: bytes from 0x80 are less
    const __m128i space = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\t'))),
        _mm_cmpeq_epi8(block, _mm_set1_epi8('\r')));
    return _mm_movemask_epi8(_mm_or_si128(printable, space)) == 0xFFFF;
}
#endif

}  // namespace

Scan scan(std::string_view text, std::size_t tagLength) {
    Gaps gaps{tagLength};
    std::size_t at = 0;
#if defined(__SSE2__)
    while (at + 16 <= text.size()) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
        if (!plain(block)) {
            const std::size_t end = at + 16;
            at = scanSlowly(text, at, end, gaps);
            if (at < end) return {at, gaps.exceeded};
            continue;
        }
        const int tags = _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('<')));
        if (tags != 0)
            gaps.seen(at + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(tags))),
                      at + 31 - static_cast<std::size_t>(__builtin_clz(static_cast<unsigned>(tags))));
        at += 16;
    }
#endif
    at = scanSlowly(text, at, text.size(), gaps);
    gaps.seen(text.size(), text.size());
    return {at, gaps.exceeded};
}

namespace {

/// Offset behind what begins at `at` and ends with `terminator`; the end of the text when it does not end.
std::size_t behind(std::string_view text, std::size_t at, std::string_view terminator) {
    const std::size_t found = text.find(terminator, at);
    return found == std::string_view::npos ? text.size() : found + terminator.size();
}

/// Reads over a tag from its '<' to its '>' and counts the quoted values in it.
std::size_t skipTag(std::string_view text, std::size_t at, std::uint32_t& values) {
    for (++at; at < text.size() && text[at] != '>' && text[at] != '<'; ++at) {
        if (text[at] != '"' && text[at] != '\'') continue;
        ++values;
        at = text.find(text[at], at + 1);
        if (at == std::string_view::npos) return text.size();
    }
    return at;
}

}  // namespace

std::size_t findCrowdedTag(std::string_view text, std::uint32_t limit) {
    std::size_t at = 0;
    while ((at = text.find('<', at)) != std::string_view::npos) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("<!--")) {
            at = behind(text, at + 4, "-->");
        } else if (rest.starts_with("<![CDATA[")) {
            at = behind(text, at + 9, "]]>");
        } else if (rest.starts_with("<?")) {
            at = behind(text, at + 2, "?>");
        } else {
            std::uint32_t values = 0;
            const std::size_t tag = at;
            at = skipTag(text, at, values);
            if (values > limit) return tag;
        }
    }
    return std::string_view::npos;
}

std::size_t lineAt(std::string_view text, std::size_t offset) {
    return 1 +
           static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace postbus::xml
