#pragma once

#include "queues/selector/node.hpp"
#include "queues/selector/selector.hpp"

namespace postbus::queues::selector {

/// The value of a node for a message; of a condition true, false, or monostate for unknown.
SelectorValue evaluate(const Tree& tree, NodeIndex at, const SelectorProperties& properties);

/// SQL's LIKE: % stands for anything, _ for one character of UTF-8; `escape` (0: none) takes the next as it is. Steps
/// are bounded by the product of the lengths.
bool like(std::string_view text, std::string_view pattern, char escape);

}  // namespace postbus::queues::selector
