#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "config/problems.hpp"

namespace postbus::config {

/// One value of a document. Owned by it and never changed once read, for an alias makes several places share one node.
struct Node {
    enum class Kind { Null, Scalar, List, Map };
    struct Entry {
        std::string key;
        Place place;  ///< the key's
        const Node* value = nullptr;
    };

    Kind kind = Kind::Null;
    Place place;
    bool quoted = false;  ///< a scalar in quotes, a block scalar or one tagged !!str: text, never a number
    std::string text;
    std::vector<const Node*> items;
    std::vector<Entry> entries;  ///< each key once, merge keys resolved
    std::uint64_t weight = 1;    ///< nodes below, itself included, each alias counted as what it stands for

    const Node* find(std::string_view key) const;
    /// To be called when all entries are there.
    void index();
    /// For messages: "a mapping", "the text 'x'".
    std::string described() const;

private:
    std::vector<std::uint32_t> byKey_;  ///< of large mappings: the order of their keys
};

/// Owns nodes; their addresses never change.
using NodeStore = std::deque<Node>;

}  // namespace postbus::config
