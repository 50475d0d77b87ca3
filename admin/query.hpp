#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace postbus::admin {

/// The query of a URL as a form writes it: name=value pairs, percent-encoded, '+' for a blank.
class Query {
public:
    /// Invalid for a broken escape.
    static Result<Query> parse(std::string_view raw);

    bool has(std::string_view name) const;
    /// Empty when there is none.
    std::string_view text(std::string_view name) const;
    std::vector<std::string_view> all(std::string_view name) const;
    /// Decimal digits; `otherwise` when there is none.
    Result<std::uint64_t> number(std::string_view name, std::uint64_t otherwise, std::uint64_t most) const;
    /// 500ms, 5s, 5m, 1h, as the configuration writes them: a number alone is refused.
    Result<milliseconds> duration(std::string_view name, milliseconds otherwise) const;

private:
    std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace postbus::admin
