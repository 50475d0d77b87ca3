#include "core/message/headers.hpp"

namespace postbus::core {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

bool sameName(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
    for (const Header& each : fields_)
        if (sameName(each.name, name)) return each.value;
    return std::nullopt;
}

}  // namespace postbus::core
