#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace postbus::cli {

/// A step of a key: an element by its local name, perhaps which one of several; or an attribute, which is the last.
struct Step {
    std::string name;
    std::optional<std::uint32_t> index;  ///< lines[1]: the second
    bool attribute = false;              ///< @name
};

/// "order.lines[1].@id" as steps. '\' takes the meaning from what follows it: "a\.b" is one name. The error names what
/// is wrong with it.
Result<std::vector<Step>> parsePath(std::string_view path);

}  // namespace postbus::cli
