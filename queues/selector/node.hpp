#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The compiled form of a selector. Private to queues/selector.
namespace postbus::queues::selector {

enum class Op : std::uint8_t {
    Null,
    Boolean,
    Integer,
    Real,
    Text,
    Name,
    Or,
    And,
    Not,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Between,
    In,
    Like,
    IsNull,
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
};

/// What a node yields, as far as its text tells.
enum class Kind : std::uint8_t { Any, Boolean, Number, Text };

using NodeIndex = std::uint32_t;  ///< 0: none

/// Children are a list: first, and each one's next. Chains of AND and OR are one node, so that depth is nesting alone.
struct Node {
    Op op = Op::Null;
    Kind kind = Kind::Any;
    bool negated = false;  ///< NOT BETWEEN, NOT IN, NOT LIKE, IS NOT NULL
    std::uint16_t depth = 1;
    NodeIndex first = 0, next = 0;
    std::uint32_t offset = 0, length = 0;  ///< of a text or name within Tree::texts
    char escape = 0;                       ///< of LIKE
    std::int64_t integer = 0;
    double real = 0;
};

struct Tree {
    std::vector<Node> nodes{Node{}};
    std::string texts;
    NodeIndex root = 0;

    std::string_view text(const Node& node) const { return std::string_view(texts).substr(node.offset, node.length); }
};

}  // namespace postbus::queues::selector
