#include "config/node.hpp"

#include <algorithm>
#include <numeric>

namespace postbus::config {

const Node* Node::find(std::string_view key) const {
    if (byKey_.empty()) {
        const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
        return found == entries.end() ? nullptr : found->value;
    }
    const auto found = std::lower_bound(byKey_.begin(), byKey_.end(), key,
                                        [&](std::uint32_t i, std::string_view name) { return entries[i].key < name; });
    return found == byKey_.end() || entries[*found].key != key ? nullptr : entries[*found].value;
}

void Node::index() {
    constexpr std::size_t small = 16;
    byKey_.clear();
    if (entries.size() <= small) return;
    byKey_.resize(entries.size());
    std::iota(byKey_.begin(), byKey_.end(), 0);
    std::sort(byKey_.begin(), byKey_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return entries[a].key < entries[b].key; });
}

std::string Node::described() const {
    switch (kind) {
        case Kind::Null:
            return "nothing";
        case Kind::Scalar:
            return inQuotes(text) + (quoted ? " in quotes" : "");
        case Kind::List:
            return "a list";
        case Kind::Map:
            return "a mapping";
    }
    return {};
}

}  // namespace postbus::config
