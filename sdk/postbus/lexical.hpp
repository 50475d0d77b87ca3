/// Simple values and their text, by XML Schema 1.1 Part 2 (whose lexical forms include those of 1.0).
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "fields.hpp"

namespace postbus POSTBUS_SDK_VISIBILITY {
namespace sdk {

/// Whether a text is a value of its type.
enum class Verdict {
    Good,
    Malformed,   ///< not in the type's lexical space
    OutOfRange,  ///< a number, but none that the type holds
};

/// White space of XML, nothing else.
constexpr bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isBlank(std::string_view text) {
    for (const char c : text)
        if (!isBlank(c)) return false;
    return true;
}

/// whiteSpace="collapse" (section 4.3.6), for types that have no blank inside.
constexpr std::string_view collapse(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

/// Reads digits off the front of `text`; how many.
constexpr std::size_t takeDigits(std::string_view& text) {
    std::size_t count = 0;
    while (count < text.size() && isDigit(text[count])) ++count;
    text.remove_prefix(count);
    return count;
}
constexpr bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}
constexpr bool takeSign(std::string_view& text) { return take(text, '+') || take(text, '-'); }

/// Sign, digits, point, digits: the common part of decimal (3.3.3), float and double (3.3.4, 3.3.5).
constexpr bool takeDecimal(std::string_view& text) {
    takeSign(text);
    const std::size_t whole = takeDigits(text);
    const std::size_t fraction = take(text, '.') ? takeDigits(text) : 0;
    return whole + fraction > 0;
}

constexpr bool isDecimal(std::string_view text) { return takeDecimal(text) && text.empty(); }

inline Verdict parseValue(std::string_view text, std::string& out) {
    out.assign(text);  // whiteSpace="preserve"
    return Verdict::Good;
}

inline Verdict parseValue(std::string_view text, bool& out) {
    text = collapse(text);
    out = text == "true" || text == "1";
    return out || text == "false" || text == "0" ? Verdict::Good : Verdict::Malformed;
}

/// integer and all that derives from it (3.4.13 and on): a sign is allowed everywhere, "-0" for unsigned types too.
template <std::integral T>
Verdict parseInteger(std::string_view text, T& out) {
    text = collapse(text);
    std::string_view rest = text;
    const bool negative = !rest.empty() && rest.front() == '-';
    takeSign(rest);
    const std::string_view digits = rest;
    if (takeDigits(rest) == 0 || !rest.empty()) return Verdict::Malformed;
    if (std::is_unsigned_v<T> && negative && digits.find_first_not_of('0') != std::string_view::npos)
        return Verdict::OutOfRange;
    const char* const first = negative && std::is_signed_v<T> ? text.data() : digits.data();
    const auto result = std::from_chars(first, digits.data() + digits.size(), out);
    return result.ec == std::errc{} ? Verdict::Good : Verdict::OutOfRange;
}

/// The decimal exponent of the first digit that is not zero: tells a number too large from one too small.
inline long long magnitude(std::string_view number) {
    takeSign(number);
    const std::size_t mark = number.find_first_of("eE");
    const std::string_view mantissa = number.substr(0, mark);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t first = mantissa.find_first_of("123456789");
    if (first == std::string_view::npos) return std::numeric_limits<long long>::min();
    long long exponent = first < point ? static_cast<long long>(point - first) : -static_cast<long long>(first - point);
    if (mark == std::string_view::npos) return exponent;
    std::string_view power = number.substr(mark + 1);
    const bool negative = power.front() == '-';
    takeSign(power);
    long long value = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), value).ec != std::errc{}) value = 1'000'000'000'000;
    return exponent + (negative ? -value : value);
}

/// float (3.3.4) and double (3.3.5): too large becomes an infinity, too small a zero, as floatingPointRound says.
template <std::floating_point T>
Verdict parseFloating(std::string_view text, T& out) {
    text = collapse(text);
    if (text == "NaN") return out = std::numeric_limits<T>::quiet_NaN(), Verdict::Good;
    const bool negative = !text.empty() && text.front() == '-';
    std::string_view rest = text;
    takeSign(rest);
    if (rest == "INF") {
        out = negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
        return Verdict::Good;
    }
    rest = text;
    if (!takeDecimal(rest)) return Verdict::Malformed;
    if (take(rest, 'e') || take(rest, 'E')) {
        takeSign(rest);
        if (takeDigits(rest) == 0) return Verdict::Malformed;
    }
    if (!rest.empty()) return Verdict::Malformed;
    std::string_view number = text;
    take(number, '+');  // which from_chars does not know
    if (std::from_chars(number.data(), number.data() + number.size(), out).ec != std::errc{}) {
        out = magnitude(number) > 0 ? std::numeric_limits<T>::infinity() : T{0};
        if (negative) out = -out;
    }
    return Verdict::Good;
}

inline Verdict parseValue(std::string_view text, Decimal& out) {
    text = collapse(text);
    if (!isDecimal(text)) return Verdict::Malformed;
    out.text.assign(text);
    return Verdict::Good;
}

/// Exactly `digits` digits, as a number within [low, high].
constexpr bool takeNumber(std::string_view& text, std::size_t digits, int low, int high, int& out) {
    if (text.size() < digits) return false;
    out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        if (!isDigit(text[i])) return false;
        out = out * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return out >= low && out <= high;
}

/// -?yyyy+-mm-dd with a day that the month has (3.3.7; the day-of-month constraint of its appendix).
constexpr bool takeDate(std::string_view& text) {
    take(text, '-');
    std::string_view year = text;
    const std::size_t length = takeDigits(text);
    if (length < 4 || (length > 4 && year.front() == '0')) return false;
    int last = 0;  // the last four digits decide: 10000 is a multiple of 400
    std::string_view tail = year.substr(length - 4);
    takeNumber(tail, 4, 0, 9999, last);
    const bool leap = (last % 4 == 0 && last % 100 != 0) || last % 400 == 0;
    constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month = 0, day = 0;
    if (!take(text, '-') || !takeNumber(text, 2, 1, 12, month)) return false;
    const int most = days[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
    return take(text, '-') && takeNumber(text, 2, 1, most, day);
}

/// hh:mm:ss(.s+)?, or 24:00:00 for the end of the day; there is no leap second.
constexpr bool takeTime(std::string_view& text) {
    int hour = 0, minute = 0, second = 0;
    if (!takeNumber(text, 2, 0, 24, hour) || !take(text, ':') || !takeNumber(text, 2, 0, 59, minute) ||
        !take(text, ':') || !takeNumber(text, 2, 0, 59, second))
        return false;
    bool fraction = false;
    if (take(text, '.')) {
        const std::string_view digits = text;
        const std::size_t length = takeDigits(text);
        if (length == 0) return false;
        fraction = digits.substr(0, length).find_first_not_of('0') != std::string_view::npos;
    }
    return hour < 24 || (minute == 0 && second == 0 && !fraction);
}

/// Z, or an offset of at most 14 hours, or nothing.
constexpr bool takeZone(std::string_view& text) {
    if (text.empty() || take(text, 'Z')) return true;
    int hour = 0, minute = 0;
    return takeSign(text) && takeNumber(text, 2, 0, 14, hour) && take(text, ':') &&
           takeNumber(text, 2, 0, 59, minute) && (hour < 14 || minute == 0);
}

constexpr bool isDateTime(std::string_view text) {
    return takeDate(text) && take(text, 'T') && takeTime(text) && takeZone(text) && text.empty();
}

inline Verdict parseValue(std::string_view text, DateTime& out) {
    text = collapse(text);
    if (!isDateTime(text)) return Verdict::Malformed;
    out.text.assign(text);
    return Verdict::Good;
}

/// The value of a base64 digit, or -1.
constexpr int base64Digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (isDigit(c)) return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

/// base64Binary (3.3.16): white space anywhere; whole quartets, right padding, unused bits zero.
inline Verdict parseValue(std::string_view text, Base64& out) {
    std::string& bytes = out.bytes;
    bytes.clear();
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    int count = 0, padding = 0;
    for (const char c : text) {
        if (isBlank(c)) continue;
        const int digit = c == '=' ? 0 : base64Digit(c);
        if (digit < 0 || (padding > 0 && c != '=')) return Verdict::Malformed;
        if (c == '=' && (++padding > 2 || count < 2)) return Verdict::Malformed;
        group = group << 6 | static_cast<std::uint32_t>(digit);
        if (++count < 4) continue;
        if ((padding == 1 && (group & 0xFF) != 0) || (padding == 2 && (group & 0xFFFF) != 0)) return Verdict::Malformed;
        bytes.push_back(static_cast<char>(group >> 16));
        if (padding < 2) bytes.push_back(static_cast<char>(group >> 8 & 0xFF));
        if (padding < 1) bytes.push_back(static_cast<char>(group & 0xFF));
        group = 0;
        count = 0;
        if (padding > 0) count = -1;  // nothing may follow
    }
    return count <= 0 ? Verdict::Good : Verdict::Malformed;
}

/// An enumerator by its name; blanks around it are forgiven unless they are part of a name.
template <HasEnumerators T>
Verdict parseEnum(std::string_view text, T& out) {
    for (const std::string_view candidate : {text, collapse(text)}) {
        for (const auto& each : enumerators(T{})) {
            if (each.name != candidate) continue;
            out = each.value;
            return Verdict::Good;
        }
    }
    return Verdict::Malformed;
}

template <std::integral T>
Verdict parseValue(std::string_view text, T& out) {
    return parseInteger(text, out);
}
template <std::floating_point T>
Verdict parseValue(std::string_view text, T& out) {
    return parseFloating(text, out);
}
template <HasEnumerators T>
Verdict parseValue(std::string_view text, T& out) {
    return parseEnum(text, out);
}

/// A number's text: integers as they are, floating point as the shortest that reads back to the same value.
class NumberText {
public:
    template <std::integral T>
    explicit NumberText(T value) {
        end_ = std::to_chars(text_.data(), text_.data() + text_.size(), value).ptr;
    }
    template <std::floating_point T>
    explicit NumberText(T value) {
        if (std::isnan(value))
            set("NaN");
        else if (std::isinf(value))
            set(value < 0 ? "-INF" : "INF");
        else
            end_ = std::to_chars(text_.data(), text_.data() + text_.size(), value).ptr;
    }
    std::string_view view() const { return {text_.data(), static_cast<std::size_t>(end_ - text_.data())}; }

private:
    void set(std::string_view text) { end_ = text_.data() + text.copy(text_.data(), text_.size()); }

    std::array<char, 40> text_;
    char* end_ = text_.data();
};

/// Base64 of at most 3 bytes less than `room` allows; for encoding piece by piece, three bytes to four characters.
inline std::size_t encodeBase64(std::string_view bytes, char* out) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char* const begin = out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t k) {
            return i + k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0u;
        };
        const std::uint32_t group = at(0) << 16 | at(1) << 8 | at(2);
        *out++ = digits[group >> 18];
        *out++ = digits[group >> 12 & 63];
        *out++ = i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
        *out++ = i + 2 < bytes.size() ? digits[group & 63] : '=';
    }
    return static_cast<std::size_t>(out - begin);
}

}  // namespace sdk
}  // namespace POSTBUS_SDK_VISIBILITY
