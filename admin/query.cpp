#include "admin/query.hpp"

#include <charconv>
#include <optional>

#include "config/quantities.hpp"

namespace postbus::admin {
namespace {

Result<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        unsigned value = 0;
        const char* digits = text.data() + i + 1;
        if (i + 2 >= text.size() || std::from_chars(digits, digits + 2, value, 16).ptr != digits + 2)
            return Error::invalid("a '%' in the query is not followed by two hexadecimal digits");
        out += static_cast<char>(value);
        i += 2;
    }
    return out;
}

std::optional<std::uint64_t> natural(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

Result<Query> Query::parse(std::string_view raw) {
    Query query;
    while (!raw.empty()) {
        const auto end = raw.find('&');
        const std::string_view pair = raw.substr(0, end);
        raw = end == std::string_view::npos ? std::string_view() : raw.substr(end + 1);
        if (pair.empty()) continue;
        const auto equals = pair.find('=');
        auto name = decoded(pair.substr(0, equals));
        auto value = decoded(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1));
        if (!name) return std::move(name).error();
        if (!value) return std::move(value).error();
        query.pairs_.emplace_back(std::move(*name), std::move(*value));
    }
    return query;
}

bool Query::has(std::string_view name) const { return !all(name).empty(); }

std::string_view Query::text(std::string_view name) const {
    for (const auto& [key, value] : pairs_)
        if (key == name) return value;
    return {};
}

std::vector<std::string_view> Query::all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (const auto& [key, value] : pairs_)
        if (key == name) values.emplace_back(value);
    return values;
}

Result<std::uint64_t> Query::number(std::string_view name, std::uint64_t otherwise, std::uint64_t most) const {
    if (!has(name)) return otherwise;
    const auto value = natural(text(name));
    if (!value || *value > most)
        return Error::invalid(std::string(name) + " is no whole number from 0 to " + std::to_string(most));
    return *value;
}

Result<milliseconds> Query::duration(std::string_view name, milliseconds otherwise) const {
    if (!has(name)) return otherwise;
    auto read = config::durationOf(text(name));
    return read ? std::move(read) : std::move(read).error().in(name);
}

}  // namespace postbus::admin
