#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace postbus::core {

struct Header {
    std::string_view name, value;
};

/// The header fields of a request, in order, as views into the request's memory. clear() keeps the capacity.
class Headers {
public:
    void add(std::string_view name, std::string_view value) { fields_.push_back({name, value}); }
    void clear() { fields_.clear(); }
    /// Drops those that `wanted` does not name.
    template <class Wanted>
    void keepOnly(const Wanted& wanted) {
        std::erase_if(fields_, [&](const Header& each) { return !wanted(each); });
    }
    std::size_t size() const { return fields_.size(); }
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.end(); }

    /// The first field of that name, in any case of ASCII letters.
    std::optional<std::string_view> find(std::string_view name) const;

private:
    std::vector<Header> fields_;
};

/// Whether two names are equal but for the case of ASCII letters.
bool sameName(std::string_view a, std::string_view b);

}  // namespace postbus::core
