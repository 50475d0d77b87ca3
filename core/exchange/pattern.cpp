#include "core/exchange/pattern.hpp"

namespace postbus::core {
namespace {

constexpr std::string_view uriPrefix = "http://www.w3.org/ns/wsdl/";
constexpr std::string_view draftPrefixes[] = {"http://www.w3.org/2003/11/wsdl/", "http://www.w3.org/2004/03/wsdl/",
                                              "http://www.w3.org/2004/08/wsdl/", "http://www.w3.org/2005/05/wsdl/",
                                              "http://www.w3.org/2006/01/wsdl/"};

struct Row {
    std::string_view uri, name;
    Pattern pattern;
};

constexpr Row rows[] = {
    {"http://www.w3.org/ns/wsdl/in-only", "InOnly", Pattern::InOnly},
    {"http://www.w3.org/ns/wsdl/robust-in-only", "RobustInOnly", Pattern::RobustInOnly},
    {"http://www.w3.org/ns/wsdl/in-out", "InOut", Pattern::InOut},
    {"http://www.w3.org/ns/wsdl/in-opt-out", "InOptionalOut", Pattern::InOptionalOut},
    {"http://www.w3.org/ns/wsdl/out-only", "OutOnly", Pattern::OutOnly},
    {"http://www.w3.org/ns/wsdl/robust-out-only", "RobustOutOnly", Pattern::RobustOutOnly},
    {"http://www.w3.org/ns/wsdl/out-in", "OutIn", Pattern::OutIn},
    {"http://www.w3.org/ns/wsdl/out-opt-in", "OutOptionalIn", Pattern::OutOptionalIn},
};

constexpr bool rowsAreInOrder() {
    for (std::size_t i = 0; i < std::size(rows); ++i)
        if (static_cast<std::size_t>(rows[i].pattern) != i + 1) return false;
    return true;
}
static_assert(rowsAreInOrder());

const Row& row(Pattern pattern) { return rows[static_cast<std::size_t>(pattern) - 1]; }

}  // namespace

Pattern mirrorOf(Pattern pattern) {
    constexpr auto half = everyPattern.size() / 2;
    const auto number = static_cast<std::size_t>(pattern);
    return static_cast<Pattern>(number <= half ? number + half : number - half);
}
std::string_view uriOf(Pattern pattern) { return row(pattern).uri; }
std::string_view nameOf(Pattern pattern) { return row(pattern).name; }

std::optional<Pattern> patternNamed(std::string_view name) {
    for (const std::string_view prefix : draftPrefixes)
        if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    if (name == "InOptOut") return Pattern::InOptionalOut;
    if (name == "OutOptIn") return Pattern::OutOptionalIn;
    if (name == "in-optional-out") return Pattern::InOptionalOut;
    if (name == "out-optional-in") return Pattern::OutOptionalIn;
    for (const Row& each : rows)
        if (name == each.uri || name == each.name || name == each.uri.substr(uriPrefix.size())) return each.pattern;
    return std::nullopt;
}

}  // namespace postbus::core
