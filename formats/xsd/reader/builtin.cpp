#include "formats/xsd/reader/builtin.hpp"

#include <algorithm>
#include <string>

#include "formats/xml/chars.hpp"
#include "formats/xsd/reader/date_time.hpp"

namespace postbus::xsd {
namespace {

constexpr Builtin builtins[] = {
    {"string", Kind::Text},
    {"boolean", Kind::Boolean, false, "", "", "false"},
    {"int", Kind::Integer, false, "-2147483648", "2147483647", "0"},
    {"long", Kind::Integer, false, "-9223372036854775808", "9223372036854775807", "0"},
    {"decimal", Kind::Decimal, false, "", "", "0.0"},
    {"double", Kind::Float, false, "", "", "0.0"},
    {"float", Kind::Float, false, "", "", "0.0"},
    {"dateTime", Kind::DateTime, false, "", "", "2026-01-31T12:00:00Z"},
    {"date", Kind::Date, false, "", "", "2026-01-31"},
    {"time", Kind::Time, false, "", "", "12:00:00"},
    {"integer", Kind::Integer, false, "", "", "0"},
    {"short", Kind::Integer, false, "-32768", "32767", "0"},
    {"byte", Kind::Integer, false, "-128", "127", "0"},
    {"nonNegativeInteger", Kind::Integer, false, "0", "", "0"},
    {"positiveInteger", Kind::Integer, false, "1", "", "1"},
    {"nonPositiveInteger", Kind::Integer, false, "", "0", "0"},
    {"negativeInteger", Kind::Integer, false, "", "-1", "-1"},
    {"unsignedLong", Kind::Integer, false, "0", "18446744073709551615", "0"},
    {"unsignedInt", Kind::Integer, false, "0", "4294967295", "0"},
    {"unsignedShort", Kind::Integer, false, "0", "65535", "0"},
    {"unsignedByte", Kind::Integer, false, "0", "255", "0"},
    {"base64Binary", Kind::Base64, false, "", "", "AAAA"},
    {"hexBinary", Kind::Hex, false, "", "", "00"},
    {"anyType", Kind::Any},
    {"anySimpleType", Kind::Any},
    {"anyURI", Kind::Text, false, "", "", "urn:example"},
    {"QName", Kind::Text, false, "", "", "name"},
    {"NOTATION", Kind::Text},
    {"duration", Kind::Text, false, "", "", "PT1H"},
    {"gYearMonth", Kind::Text, false, "", "", "2026-01"},
    {"gYear", Kind::Text, false, "", "", "2026"},
    {"gMonthDay", Kind::Text, false, "", "", "--01-31"},
    {"gDay", Kind::Text, false, "", "", "---31"},
    {"gMonth", Kind::Text, false, "", "", "--01"},
    {"normalizedString", Kind::Text},
    {"token", Kind::Text},
    {"language", Kind::Text, false, "", "", "en"},
    {"Name", Kind::Text, false, "", "", "name"},
    {"NCName", Kind::Text, false, "", "", "name"},
    {"NMTOKEN", Kind::Text, false, "", "", "name"},
    {"NMTOKENS", Kind::Text, true, "", "", "name"},
    {"ID", Kind::Text, false, "", "", "name"},
    {"IDREF", Kind::Text, false, "", "", "name"},
    {"IDREFS", Kind::Text, true, "", "", "name"},
    {"ENTITY", Kind::Text, false, "", "", "name"},
    {"ENTITIES", Kind::Text, true, "", "", "name"},
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool areDigits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), isDigit); }

std::string_view withoutSign(std::string_view text) {
    return !text.empty() && (text.front() == '+' || text.front() == '-') ? text.substr(1) : text;
}

bool isDecimal(std::string_view text) {
    text = withoutSign(text);
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, dot), rest = text.substr(std::min(dot + 1, text.size()));
    const bool some = !whole.empty() || !rest.empty();
    return some && (whole.empty() || areDigits(whole)) && (rest.empty() || areDigits(rest));
}

bool isFloat(std::string_view text) {
    if (text == "INF" || text == "-INF" || text == "+INF" || text == "NaN") return true;
    const std::size_t e = text.find_first_of("eE");
    if (e == std::string_view::npos) return isDecimal(text);
    return isDecimal(text.substr(0, e)) && areDigits(withoutSign(text.substr(e + 1)));
}

/// Compares whole numbers of any length: negative, zero or positive as `a` is below, at or above `b`.
int compareIntegers(std::string_view a, std::string_view b) {
    const auto digits = [](std::string_view text) {
        text = withoutSign(text);
        return text.substr(std::min(text.find_first_not_of('0'), text.size()));
    };
    const std::string_view ofA = digits(a), ofB = digits(b);
    const bool belowA = a.starts_with('-') && !ofA.empty(), belowB = b.starts_with('-') && !ofB.empty();
    if (belowA != belowB) return belowA ? -1 : 1;
    const int sizes = ofA.size() == ofB.size() ? 0 : ofA.size() < ofB.size() ? -1 : 1;
    const int larger = sizes ? sizes : ofA.compare(ofB);
    return belowA ? -larger : larger;
}

bool isHex(std::string_view text) {
    return text.size() % 2 == 0 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool isBase64(std::string_view text) {
    std::size_t characters = 0, fill = 0;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (space) continue;
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '+' || c == '/';
        if (c == '=')
            ++fill;
        else if (!letter || fill)
            return false;
        ++characters;
    }
    return characters % 4 == 0 && fill <= 2;
}

Result<void> expected(std::string_view what, const Builtin& type, std::string_view value) {
    std::string text = "expected ";
    text.append(what).append(" (xs:").append(type.name).append("), got '");
    xml::appendPrintable(text, value, 80);
    return Error::invalid(text + '\'');
}

Result<void> checkInteger(const Builtin& type, std::string_view value) {
    if (!areDigits(withoutSign(value))) return expected("a whole number", type, value);
    const bool low = !type.lowest.empty() && compareIntegers(value, type.lowest) < 0;
    const bool high = !type.highest.empty() && compareIntegers(value, type.highest) > 0;
    if (!low && !high) return ok();
    std::string range = "a whole number ";
    if (type.highest.empty())
        range.append("not below ").append(type.lowest);
    else if (type.lowest.empty())
        range.append("not above ").append(type.highest);
    else
        range.append("from ").append(type.lowest).append(" to ").append(type.highest);
    return expected(range, type, value);
}

}  // namespace

const Builtin* findBuiltin(std::string_view name) {
    const auto at =
        std::find_if(std::begin(builtins), std::end(builtins), [&](const Builtin& each) { return each.name == name; });
    return at == std::end(builtins) ? nullptr : at;
}

std::string_view trimmed(std::string_view value) {
    constexpr std::string_view space = " \t\r\n";
    const std::size_t first = value.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return value.substr(first, value.find_last_not_of(space) - first + 1);
}

Result<void> checkValue(const Builtin& type, std::string_view value) {
    value = trimmed(value);
    const auto must = [&](bool holds, std::string_view what) { return holds ? ok() : expected(what, type, value); };
    switch (type.kind) {
        case Kind::Boolean:
            return must(booleanOf(value).has_value(), "true or false");
        case Kind::Integer:
            return checkInteger(type, value);
        case Kind::Decimal:
            return must(isDecimal(value), "a decimal number like 12.50");
        case Kind::Float:
            return must(isFloat(value), "a number like 1.5 or 2e-3");
        case Kind::Date:
            return must(isDate(value), "a date like 2026-01-31");
        case Kind::Time:
            return must(isTime(value), "a time like 12:30:00");
        case Kind::DateTime:
            return must(isDateTime(value), "a date and time like 2026-01-31T12:30:00Z");
        case Kind::Base64:
            return must(isBase64(value), "base64, or @FILE for what a file holds");
        case Kind::Hex:
            return must(isHex(value), "pairs of hexadecimal digits, or @FILE for what a file holds");
        case Kind::Text:
        case Kind::Any:
            break;
    }
    return ok();
}

std::string jsonNumber(std::string_view value) {
    value = trimmed(value);
    if (!isFloat(value) || value.ends_with("INF") || value == "NaN") return {};
    std::string number = value.starts_with('-') ? "-" : "";
    const std::size_t e = std::min(value.find_first_of("eE"), value.size());
    const std::string_view mantissa = withoutSign(value.substr(0, e));
    const std::size_t dot = std::min(mantissa.find('.'), mantissa.size());
    std::string_view whole = mantissa.substr(0, dot);
    whole = whole.substr(std::min(whole.find_first_not_of('0'), whole.size()));
    number += whole.empty() ? std::string_view("0") : whole;
    if (dot + 1 < mantissa.size()) number += mantissa.substr(dot);
    number += value.substr(e);
    return number;
}

std::optional<bool> booleanOf(std::string_view value) {
    value = trimmed(value);
    if (value == "true" || value == "1") return true;
    if (value == "false" || value == "0") return false;
    return std::nullopt;
}

}  // namespace postbus::xsd
