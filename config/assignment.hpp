#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/node.hpp"

namespace postbus::config {

/// PATH=VALUE taken apart.
struct Assignment {
    std::vector<std::string> path;
    std::string value;
};
Result<Assignment> splitAssignment(std::string_view text);

/// The tree below `root` with `value` at `path`. Nodes on the way are copied, never changed: others may share them by
/// an alias. Adds a problem and returns `root` when the path leads through something that is no mapping.
const Node* replaced(const Node& root, const std::vector<std::string>& path, const Node& value, NodeStore& store,
                     Problems& problems);

}  // namespace postbus::config
