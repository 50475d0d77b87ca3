#include "config/scalars.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "config/suggest.hpp"

namespace postbus::config {
namespace {

Error expected(std::string_view what, const Node& node) {
    if (node.kind == Node::Kind::Null) return Error::invalid("has no value; expected " + std::string(what));
    return Error::invalid("expected " + std::string(what) + ", got " + node.described());
}

bool isPlain(const Node& node) { return node.kind == Node::Kind::Scalar && !node.quoted; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

enum class Digits { Fine, Malformed, TooLarge };

Digits digits(std::string_view text, std::uint64_t& value) {
    if (text.empty() || (text.size() > 1 && text.front() == '0')) return Digits::Malformed;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return Digits::Malformed;
    return fault == std::errc::result_out_of_range ? Digits::TooLarge : Digits::Fine;
}

Error overMost(const Node& node, const std::string& most) {
    return Error::invalid(inQuotes(node.text) + " is too large; the most is " + most);
}

/// A count and its unit.
struct Quantity {
    std::string_view count, unit;
};

Quantity quantityOf(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end])) ++end;
    return {text.substr(0, end), text.substr(end)};
}

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};
constexpr std::array durationUnits{Unit{"ms", 1}, Unit{"s", 1'000}, Unit{"m", 60'000}, Unit{"h", 3'600'000}};
constexpr std::array sizeUnits{Unit{"", 1},
                               Unit{"B", 1},
                               Unit{"kB", 1'000},
                               Unit{"MB", 1'000'000},
                               Unit{"GB", 1'000'000'000},
                               Unit{"KiB", 1ull << 10},
                               Unit{"MiB", 1ull << 20},
                               Unit{"GiB", 1ull << 30}};
constexpr std::uint64_t longestDuration = 8'760ull * 3'600'000;

template <std::size_t N>
const Unit* unitNamed(const std::array<Unit, N>& units, std::string_view name) {
    for (const Unit& each : units)
        if (each.name == name) return &each;
    return nullptr;
}

}  // namespace

Result<std::string> textOf(const Node& node) {
    if (node.kind != Node::Kind::Scalar) return expected("a text", node);
    return node.text;
}

Result<bool> boolOf(const Node& node) {
    if (isPlain(node)) {
        for (const std::string_view yes : {"true", "on", "yes", "True", "TRUE"})
            if (node.text == yes) return true;
        for (const std::string_view no : {"false", "off", "no", "False", "FALSE"})
            if (node.text == no) return false;
    }
    return expected("true or false", node);
}

Result<std::uint64_t> unsignedOf(const Node& node, std::uint64_t most) {
    if (!isPlain(node)) return expected("a whole number", node);
    std::uint64_t value = 0, below = 0;
    const std::string_view text = node.text;
    if (text.substr(0, 1) == "-" && digits(text.substr(1), below) != Digits::Malformed && text != "-0")
        return Error::invalid(inQuotes(text) + " is negative; the least is 0");
    const Digits found = digits(text, value);
    if (found == Digits::Malformed) return expected("a whole number", node);
    if (found == Digits::TooLarge || value > most) return overMost(node, std::to_string(most));
    return value;
}

Result<std::int64_t> signedOf(const Node& node, std::int64_t least, std::int64_t most) {
    if (!isPlain(node)) return expected("a whole number", node);
    const bool negative = node.text.compare(0, 1, "-") == 0;
    std::uint64_t magnitude = 0;
    const Digits found = digits(std::string_view(node.text).substr(negative ? 1 : 0), magnitude);
    if (found == Digits::Malformed) return expected("a whole number", node);
    // Two's complement reaches one further below zero than above.
    const std::uint64_t reach =
        negative ? std::uint64_t{0} - static_cast<std::uint64_t>(least) : static_cast<std::uint64_t>(most);
    if (found == Digits::TooLarge || magnitude > reach) {
        if (!negative) return overMost(node, std::to_string(most));
        return Error::invalid(inQuotes(node.text) + " is too small; the least is " + std::to_string(least));
    }
    return static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

Result<double> doubleOf(const Node& node) {
    if (!isPlain(node)) return expected("a number", node);
    double value = 0;
    const char* const end = node.text.data() + node.text.size();
    const auto [stop, fault] = std::from_chars(node.text.data(), end, value);
    if (fault == std::errc::result_out_of_range) return Error::invalid(inQuotes(node.text) + " is out of range");
    if (fault != std::errc{} || stop != end || !std::isfinite(value)) return expected("a number", node);
    return value;
}

Result<milliseconds> durationOf(const Node& node) {
    constexpr std::string_view what = "a duration such as 500ms, 60s, 5m or 1h";
    if (node.kind != Node::Kind::Scalar) return expected(what, node);
    const auto [count, unitName] = quantityOf(node.text);
    std::uint64_t value = 0;
    const Digits found = digits(count, value);
    if (found == Digits::Malformed) return expected(what, node);
    if (unitName.empty())
        return Error::invalid(inQuotes(node.text) + " has no unit; write " + std::string(count) + "s for seconds or " +
                              std::string(count) + "ms for milliseconds");
    const Unit* unit = unitNamed(durationUnits, unitName);
    if (!unit) return Error::invalid(inQuotes(unitName) + " is no unit of time; known are: ms, s, m, h");
    if (found == Digits::TooLarge || value > longestDuration / unit->factor) return overMost(node, "8760h");
    return milliseconds(static_cast<std::int64_t>(value * unit->factor));
}

Result<ByteSize> byteSizeOf(const Node& node) {
    constexpr std::string_view what = "a size such as 512, 64kB, 32KiB or 16MiB";
    if (node.kind != Node::Kind::Scalar) return expected(what, node);
    const auto [count, unitName] = quantityOf(node.text);
    std::uint64_t value = 0;
    const Digits found = digits(count, value);
    if (found == Digits::Malformed) return expected(what, node);
    const Unit* unit = unitNamed(sizeUnits, unitName);
    if (!unit)
        return Error::invalid(inQuotes(unitName) + " is no unit of size; known are: B, kB, MB, GB, KiB, MiB, GiB");
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (found == Digits::TooLarge || value > most / unit->factor) return overMost(node, std::to_string(most));
    return ByteSize{value * unit->factor};
}

Result<std::size_t> choiceOf(const Node& node, std::span<const std::string_view> names) {
    for (std::size_t i = 0; node.kind == Node::Kind::Scalar && i < names.size(); ++i)
        if (node.text == names[i]) return i;
    if (node.kind == Node::Kind::Scalar)
        return Error::invalid("unknown value " + inQuotes(node.text) + remedy(node.text, names));
    return expected("one of: " + listed(names), node);
}

std::string written(milliseconds duration) {
    const auto count = static_cast<std::uint64_t>(duration.count());
    // 60s reads better than 1m, 90s than no whole minute.
    if (count == 0) return "0s";
    if (count % 3'600'000 == 0) return std::to_string(count / 3'600'000) + "h";
    if (count % 60'000 == 0 && count >= 120'000) return std::to_string(count / 60'000) + "m";
    if (count % 1'000 == 0) return std::to_string(count / 1'000) + "s";
    return std::to_string(count) + "ms";
}

std::string written(ByteSize size) {
    if (size.bytes == 0) return "0";
    for (auto unit = sizeUnits.rbegin(); unit->name != "GB"; ++unit)
        if (size.bytes % unit->factor == 0) return std::to_string(size.bytes / unit->factor) + std::string(unit->name);
    return std::to_string(size.bytes);
}

}  // namespace postbus::config
