#include "config/quantities.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "config/path.hpp"

namespace postbus::config {
namespace {

/// A count and its unit.
struct Quantity {
    std::string_view count, unit;
};

Quantity quantityOf(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
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

Error expected(std::string_view what, std::string_view text) {
    return Error::invalid("expected " + std::string(what) + ", got " + inQuotes(text));
}

Error overMost(std::string_view text, const std::string& most) {
    return Error::invalid(inQuotes(text) + " is too large; the most is " + most);
}

/// Why a unit is none: nearly always the blank before it.
template <std::size_t N>
Error noUnit(std::string_view text, const Quantity& quantity, const std::array<Unit, N>& units,
             std::string_view otherwise) {
    const std::size_t unit = quantity.unit.find_first_not_of(" \t");
    if (unit != 0 && unit != std::string_view::npos && unitNamed(units, quantity.unit.substr(unit)))
        return Error::invalid(inQuotes(text) + " has a blank before its unit; write " + std::string(quantity.count) +
                              std::string(quantity.unit.substr(unit)));
    return Error::invalid(inQuotes(quantity.unit) + std::string(otherwise));
}

}  // namespace

Digits digits(std::string_view text, std::uint64_t& value) {
    if (text.empty() || (text.size() > 1 && text.front() == '0')) return Digits::Malformed;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return Digits::Malformed;
    return fault == std::errc::result_out_of_range ? Digits::TooLarge : Digits::Fine;
}

Result<milliseconds> durationOf(std::string_view text) {
    const Quantity quantity = quantityOf(text);
    std::uint64_t value = 0;
    const Digits found = digits(quantity.count, value);
    if (found == Digits::Malformed) return expected(aDuration, text);
    const std::string count(quantity.count);
    if (quantity.unit.empty())
        return Error::invalid(inQuotes(text) + " has no unit; write " + count + "s for seconds or " + count +
                              "ms for milliseconds");
    const Unit* unit = unitNamed(durationUnits, quantity.unit);
    if (!unit) return noUnit(text, quantity, durationUnits, " is no unit of time; known are: ms, s, m, h");
    if (found == Digits::TooLarge || value > longestDuration / unit->factor) return overMost(text, "8760h");
    return milliseconds(static_cast<std::int64_t>(value * unit->factor));
}

Result<ByteSize> byteSizeOf(std::string_view text) {
    const Quantity quantity = quantityOf(text);
    std::uint64_t value = 0;
    const Digits found = digits(quantity.count, value);
    if (found == Digits::Malformed) return expected(aSize, text);
    const Unit* unit = unitNamed(sizeUnits, quantity.unit);
    if (!unit) return noUnit(text, quantity, sizeUnits, " is no unit of size; known are: B, kB, MB, GB, KiB, MiB, GiB");
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (found == Digits::TooLarge || value > most / unit->factor) return overMost(text, std::to_string(most));
    return ByteSize{value * unit->factor};
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
