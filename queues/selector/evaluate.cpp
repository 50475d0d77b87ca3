#include "queues/selector/evaluate.hpp"

#include <limits>

namespace postbus::queues::selector {
namespace {

using Value = SelectorValue;
constexpr Value kUnknown{};

bool unknown(const Value& value) { return value.index() == 0; }
bool numeric(const Value& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}
// Wide enough for every int64, so that large integers compare exactly with floats.
long double wide(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<long double>(*integer);
    return std::get<double>(value);
}
double real(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    return std::get<double>(value);
}
Value boolean(const Value& value) { return std::holds_alternative<bool>(value) ? value : kUnknown; }
Value negatedIf(bool negated, const Value& value) {
    const bool* known = std::get_if<bool>(&value);
    return known ? Value(*known != negated) : kUnknown;
}

bool holds(Op op, long double left, long double right) {
    switch (op) {
        case Op::Equal:
            return left == right;
        case Op::NotEqual:
            return left != right;
        case Op::Less:
            return left < right;
        case Op::LessEqual:
            return left <= right;
        case Op::Greater:
            return left > right;
        default:
            return left >= right;
    }
}

Value compare(Op op, const Value& left, const Value& right) {
    if (unknown(left) || unknown(right)) return kUnknown;
    if (numeric(left) && numeric(right)) return holds(op, wide(left), wide(right));
    // Of different kinds, or without an order.
    if (left.index() != right.index() || (op != Op::Equal && op != Op::NotEqual)) return false;
    return (left == right) == (op == Op::Equal);
}

Value overflown(Op op, double left, double right) {
    switch (op) {
        case Op::Add:
            return left + right;
        case Op::Subtract:
            return left - right;
        case Op::Multiply:
            return left * right;
        default:
            return left / right;
    }
}

Value arithmetic(Op op, const Value& left, const Value& right) {
    if (!numeric(left) || !numeric(right)) return kUnknown;
    const auto* a = std::get_if<std::int64_t>(&left);
    const auto* b = std::get_if<std::int64_t>(&right);
    std::int64_t outcome = 0;
    if (!a || !b) return overflown(op, real(left), real(right));
    switch (op) {
        case Op::Add:
            if (!__builtin_add_overflow(*a, *b, &outcome)) return outcome;
            break;
        case Op::Subtract:
            if (!__builtin_sub_overflow(*a, *b, &outcome)) return outcome;
            break;
        case Op::Multiply:
            if (!__builtin_mul_overflow(*a, *b, &outcome)) return outcome;
            break;
        default:
            if (*b == 0) return kUnknown;
            if (*a != std::numeric_limits<std::int64_t>::min() || *b != -1) return *a / *b;
    }
    return overflown(op, real(left), real(right));
}

Value negate(const Value& value) {
    return arithmetic(Op::Subtract, std::holds_alternative<double>(value) ? Value(-0.0) : Value(std::int64_t{0}),
                      value);
}

/// Kleene's AND and OR: the value that decides wins over unknown.
Value chain(const Tree& tree, const Node& node, const SelectorProperties& properties) {
    const bool decisive = node.op == Op::Or;
    Value all = !decisive;
    for (NodeIndex each = node.first; each; each = tree.nodes[each].next) {
        const Value value = boolean(evaluate(tree, each, properties));
        if (unknown(value)) {
            all = kUnknown;
        } else if (std::get<bool>(value) == decisive) {
            return decisive;
        }
    }
    return all;
}

Value among(const Tree& tree, const Node& node, const Value& value) {
    if (unknown(value)) return kUnknown;
    const auto* text = std::get_if<std::string_view>(&value);
    bool found = false;
    for (NodeIndex each = tree.nodes[node.first].next; text && each && !found; each = tree.nodes[each].next)
        found = tree.text(tree.nodes[each]) == *text;
    return found != node.negated;
}

Value matches(const Tree& tree, const Node& node, const Value& value) {
    if (unknown(value)) return kUnknown;
    const auto* text = std::get_if<std::string_view>(&value);
    return (text && like(*text, tree.text(node), node.escape)) != node.negated;
}

Value between(const Tree& tree, const Node& node, const SelectorProperties& properties) {
    const NodeIndex low = tree.nodes[node.first].next;
    const Value value = evaluate(tree, node.first, properties);
    const Value above = compare(Op::GreaterEqual, value, evaluate(tree, low, properties));
    const Value below = compare(Op::LessEqual, value, evaluate(tree, tree.nodes[low].next, properties));
    if (above == Value(false) || below == Value(false)) return negatedIf(node.negated, false);
    if (unknown(above) || unknown(below)) return kUnknown;
    return negatedIf(node.negated, true);
}

}  // namespace

Value evaluate(const Tree& tree, NodeIndex at, const SelectorProperties& properties) {
    const Node& node = tree.nodes[at];
    switch (node.op) {
        case Op::Null:
            return kUnknown;
        case Op::Boolean:
            return node.integer != 0;
        case Op::Integer:
            return node.integer;
        case Op::Real:
            return node.real;
        case Op::Text:
            return tree.text(node);
        case Op::Name:
            return properties.get(tree.text(node));
        case Op::Or:
        case Op::And:
            return chain(tree, node, properties);
        case Op::Not:
            return negatedIf(true, boolean(evaluate(tree, node.first, properties)));
        case Op::Between:
            return between(tree, node, properties);
        case Op::In:
            return among(tree, node, evaluate(tree, node.first, properties));
        case Op::Like:
            return matches(tree, node, evaluate(tree, node.first, properties));
        case Op::IsNull:
            return unknown(evaluate(tree, node.first, properties)) != node.negated;
        case Op::Negate:
            return negate(evaluate(tree, node.first, properties));
        default:
            break;
    }
    const Value left = evaluate(tree, node.first, properties);
    const Value right = evaluate(tree, tree.nodes[node.first].next, properties);
    const bool calculates = node.op >= Op::Add;
    return calculates ? arithmetic(node.op, left, right) : compare(node.op, left, right);
}

}  // namespace postbus::queues::selector
