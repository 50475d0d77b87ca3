#pragma once

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace postbus::xml {

/// Sixteen bytes of a document, looked at together. Bit i of an answer is about byte i.
class PortableBlock {
public:
    static constexpr unsigned size = 16;

    explicit PortableBlock(const char* at) { std::memcpy(bytes_, at, size); }

    unsigned is(char c) const {
        return mask([c](char byte) { return byte == c; });
    }
    /// Ends a run of text: '<', '&', ']', CR, what is no Char, and what is not ASCII and so needs a closer look.
    unsigned textStops() const {
        return mask([](char c) { return c == '<' || c == '&' || c == ']' || odd(c); });
    }
    /// The same for a CDATA section, where only ']' may end it.
    unsigned sectionStops() const {
        return mask([](char c) { return c == ']' || odd(c); });
    }
    /// The same for a comment, where '-' may; its line ends are nobody's business.
    unsigned commentStops() const {
        return mask([](char c) { return c == '-' || (odd(c) && c != '\r'); });
    }
    /// Ends a run of an attribute's value: its quote, '<', '&', all white space but the space, and as above.
    unsigned valueStops(char quote) const {
        return mask([quote](char c) { return c == quote || c == '<' || c == '&' || low(c); });
    }
    /// Is no ASCII character of a name; the colon is one here.
    unsigned nameStops() const {
        return mask([](char c) {
            const char lower = static_cast<char>(c | 0x20);
            return !((lower >= 'a' && lower <= 'z') || (c >= '-' && c <= ':' && c != '/') || c == '_');
        });
    }

private:
    static bool low(char c) { return static_cast<signed char>(c) < 0x20; }  // bytes from 0x80 are less than 0
    static bool odd(char c) { return low(c) && c != '\n' && c != '\t'; }
    template <class Test>
    unsigned mask(Test test) const {
        unsigned bits = 0;
        for (unsigned i = 0; i < size; ++i) bits |= static_cast<unsigned>(test(bytes_[i])) << i;
        return bits;
    }

    char bytes_[size];
};

#if defined(__SSE2__)
/// The same with the instructions that every x86-64 has.
class Sse2Block {
public:
    static constexpr unsigned size = 16;

    explicit Sse2Block(const char* at) : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at))) {}

    unsigned is(char c) const { return mask(same(c)); }
    unsigned textStops() const { return mask(either(either(same('<'), same('&')), either(same(']'), odd()))); }
    unsigned sectionStops() const { return mask(either(same(']'), odd())); }
    unsigned commentStops() const { return mask(either(same('-'), _mm_andnot_si128(same('\r'), odd()))); }
    unsigned valueStops(char quote) const {
        return mask(either(either(same(quote), same('<')), either(same('&'), low())));
    }
    unsigned nameStops() const {
        const __m128i lower = _mm_or_si128(bytes_, _mm_set1_epi8(0x20));
        // Moved to the upper end of the signed bytes, one comparison is enough for a range.
        const __m128i letter = above(_mm_add_epi8(lower, _mm_set1_epi8(0x7F - 'z')), 0x7F - 26);
        const __m128i mark = above(_mm_add_epi8(bytes_, _mm_set1_epi8(0x7F - ':')), 0x7F - 14);  // -./0123456789:
        const __m128i name = either(either(letter, same('_')), _mm_andnot_si128(same('/'), mark));
        return mask(name) ^ 0xFFFFu;
    }

private:
    static unsigned mask(__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); }
    static __m128i either(__m128i one, __m128i other) { return _mm_or_si128(one, other); }
    static __m128i above(__m128i bytes, char limit) { return _mm_cmpgt_epi8(bytes, _mm_set1_epi8(limit)); }
    __m128i same(char c) const { return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)); }
    __m128i low() const { return _mm_cmplt_epi8(bytes_, _mm_set1_epi8(0x20)); }  // signed
    __m128i odd() const { return _mm_andnot_si128(either(same('\n'), same('\t')), low()); }

    __m128i bytes_;
};
using Block = Sse2Block;
#else
using Block = PortableBlock;
#endif

/// The place of the lowest bit; there must be one.
inline unsigned firstOf(unsigned bits) { return static_cast<unsigned>(std::countr_zero(bits)); }
/// The bits below a place.
inline unsigned bitsBelow(unsigned bits, unsigned place) { return bits & ((1u << place) - 1); }
/// How many; few as a rule, and without the instruction for it, which the oldest x86-64 lacks.
inline unsigned countOf(unsigned bits) {
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
}

}  // namespace postbus::xml
