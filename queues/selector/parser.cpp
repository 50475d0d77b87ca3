#include "queues/selector/parser.hpp"

#include <algorithm>
#include <limits>

#include "queues/selector/selector.hpp"

namespace postbus::queues::selector {
namespace {

// The header fields that a selector may name; the others of JMS's are refused, so that none is taken for a property.
constexpr std::string_view kFields[] = {"JMSDeliveryMode", "JMSPriority",      "JMSMessageID",
                                        "JMSTimestamp",    "JMSCorrelationID", "JMSType"};

bool forbidden(std::string_view name) {
    return name.starts_with("JMS") && !name.starts_with("JMSX") && !name.starts_with("JMS_") &&
           std::find(std::begin(kFields), std::end(kFields), name) == std::end(kFields);
}

constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();

struct Comparison {
    std::string_view sign;
    Op op;
};
constexpr Comparison kComparisons[] = {{"=", Op::Equal},      {"<>", Op::NotEqual}, {"<", Op::Less},
                                       {"<=", Op::LessEqual}, {">", Op::Greater},   {">=", Op::GreaterEqual}};

}  // namespace

Result<Tree> Parser::parse() {
    if (auto moved = advance(); !moved) return std::move(moved).error();
    auto root = disjunction();
    if (!root) return std::move(root).error();
    if (token_.kind != Token::Kind::End) return expected("AND, OR or the end");
    if (auto fits = want(*root, Kind::Boolean, "a condition", 0); !fits) return std::move(fits).error();
    tree_.root = *root;
    return std::move(tree_);
}

Parser::Parsed Parser::disjunction() { return chain(Op::Or, "OR", &Parser::conjunction); }
Parser::Parsed Parser::conjunction() { return chain(Op::And, "AND", &Parser::negation); }

Parser::Parsed Parser::chain(Op op, const char* word, Parsed (Parser::*operand)()) {
    const std::size_t at = token_.at;
    auto first = (this->*operand)();
    if (!first || !token_.word(word)) return first;
    if (auto fits = want(*first, Kind::Boolean, "a condition", at); !fits) return std::move(fits).error();
    auto all = make({.op = op, .kind = Kind::Boolean}, {*first});
    NodeIndex last = *first;
    while (all && token_.word(word)) {
        if (auto moved = advance(); !moved) return std::move(moved).error();
        const std::size_t begin = token_.at;
        auto next = (this->*operand)();
        if (!next) return next;
        if (auto fits = want(*next, Kind::Boolean, "a condition", begin); !fits) return std::move(fits).error();
        tree_.nodes[last].next = *next;
        tree_.nodes[*all].depth =
            std::max<std::uint16_t>(tree_.nodes[*all].depth, static_cast<std::uint16_t>(tree_.nodes[*next].depth + 1));
        last = *next;
    }
    return all;
}

Parser::Parsed Parser::negation() {
    if (!token_.word("NOT")) return predicate();
    if (++depth_ > Selector::kMaxDepth) return wrong(token_.at, "nested too deep");
    if (auto moved = advance(); !moved) return std::move(moved).error();
    const std::size_t at = token_.at;
    auto inner = negation();
    if (!inner) return inner;
    --depth_;
    if (auto fits = want(*inner, Kind::Boolean, "a condition", at); !fits) return std::move(fits).error();
    return make({.op = Op::Not, .kind = Kind::Boolean}, {*inner});
}

Parser::Parsed Parser::predicate() {
    auto left = sum();
    if (!left) return left;
    for (const Comparison& each : kComparisons)
        if (token_.sign(each.sign)) return compare(*left, each.op);
    const bool negated = token_.word("NOT");
    if (negated)
        if (auto moved = advance(); !moved) return std::move(moved).error();
    if (token_.word("BETWEEN")) return between(*left, negated);
    if (token_.word("IN")) return in(*left, negated);
    if (token_.word("LIKE")) return like(*left, negated);
    if (negated) return expected("BETWEEN, IN or LIKE");
    if (token_.word("IS")) return isNull(*left);
    return left;
}

Parser::Parsed Parser::compare(NodeIndex left, Op op) {
    const std::size_t at = token_.at;
    if (auto moved = advance(); !moved) return std::move(moved).error();
    auto right = sum();
    if (!right) return right;
    if (op != Op::Equal && op != Op::NotEqual)
        for (const NodeIndex each : {left, *right})
            if (auto fits = want(each, Kind::Number, "a number, since text and booleans have no order", at); !fits)
                return std::move(fits).error();
    return make({.op = op, .kind = Kind::Boolean}, {left, *right});
}

Parser::Parsed Parser::between(NodeIndex value, bool negated) {
    const std::size_t at = token_.at;
    if (auto moved = advance(); !moved) return std::move(moved).error();
    auto low = sum();
    if (!low) return low;
    if (!token_.word("AND")) return expected("AND");
    if (auto moved = advance(); !moved) return std::move(moved).error();
    auto high = sum();
    if (!high) return high;
    for (const NodeIndex each : {value, *low, *high})
        if (auto fits = want(each, Kind::Number, "a number", at); !fits) return std::move(fits).error();
    return make({.op = Op::Between, .kind = Kind::Boolean, .negated = negated}, {value, *low, *high});
}

Parser::Parsed Parser::in(NodeIndex name, bool negated) {
    if (auto fits = wantName(name, "IN", token_.at); !fits) return std::move(fits).error();
    auto list = make({.op = Op::In, .kind = Kind::Boolean, .negated = negated}, {name});
    if (auto moved = advance(); !moved) return std::move(moved).error();
    if (!token_.sign("(")) return expected("'('");
    NodeIndex last = name;
    do {
        if (auto moved = advance(); !moved) return std::move(moved).error();
        if (token_.kind != Token::Kind::Text) return expected("a text");
        Node text{.op = Op::Text, .kind = Kind::Text};
        keep(text, token_.text);
        auto made = make(text, {});
        tree_.nodes[last].next = *made;
        last = *made;
        if (auto moved = advance(); !moved) return std::move(moved).error();
    } while (token_.sign(","));
    if (!token_.sign(")")) return expected("',' or ')'");
    if (auto moved = advance(); !moved) return std::move(moved).error();
    return list;
}

Parser::Parsed Parser::like(NodeIndex name, bool negated) {
    if (auto fits = wantName(name, "LIKE", token_.at); !fits) return std::move(fits).error();
    if (auto moved = advance(); !moved) return std::move(moved).error();
    if (token_.kind != Token::Kind::Text) return expected("a pattern");
    if (token_.text.size() > Selector::kMaxPattern) return wrong(token_.at, "the pattern is too long");
    Node node{.op = Op::Like, .kind = Kind::Boolean, .negated = negated};
    keep(node, token_.text);
    const std::size_t patternAt = token_.at;
    if (auto moved = advance(); !moved) return std::move(moved).error();
    if (token_.word("ESCAPE")) {
        if (auto moved = advance(); !moved) return std::move(moved).error();
        if (token_.kind != Token::Kind::Text || token_.text.size() != 1) return expected("one character in quotes");
        node.escape = token_.text[0];
        if (auto moved = advance(); !moved) return std::move(moved).error();
    }
    const std::string_view pattern = tree_.text(node);
    for (std::size_t i = 0; node.escape && i < pattern.size(); ++i)
        if (pattern[i] == node.escape && ++i == pattern.size())
            return wrong(patternAt, "the pattern ends with its escape");
    return make(node, {name});
}

Parser::Parsed Parser::isNull(NodeIndex name) {
    if (auto fits = wantName(name, "IS", token_.at); !fits) return std::move(fits).error();
    if (auto moved = advance(); !moved) return std::move(moved).error();
    const bool negated = token_.word("NOT");
    if (negated)
        if (auto moved = advance(); !moved) return std::move(moved).error();
    if (!token_.word("NULL")) return expected("NULL");
    if (auto moved = advance(); !moved) return std::move(moved).error();
    return make({.op = Op::IsNull, .kind = Kind::Boolean, .negated = negated}, {name});
}

Parser::Parsed Parser::sum() {
    auto left = product();
    while (left && (token_.sign("+") || token_.sign("-"))) {
        const Op op = token_.sign("+") ? Op::Add : Op::Subtract;
        const std::size_t at = token_.at;
        if (auto moved = advance(); !moved) return std::move(moved).error();
        auto right = product();
        if (!right) return right;
        left = arithmetic(op, *left, *right, at);
    }
    return left;
}

Parser::Parsed Parser::product() {
    auto left = sign();
    while (left && (token_.sign("*") || token_.sign("/"))) {
        const Op op = token_.sign("*") ? Op::Multiply : Op::Divide;
        const std::size_t at = token_.at;
        if (auto moved = advance(); !moved) return std::move(moved).error();
        auto right = sign();
        if (!right) return right;
        left = arithmetic(op, *left, *right, at);
    }
    return left;
}

Parser::Parsed Parser::arithmetic(Op op, NodeIndex left, NodeIndex right, std::size_t at) {
    for (const NodeIndex each : {left, right})
        if (auto fits = want(each, Kind::Number, "a number", at); !fits) return std::move(fits).error();
    return make({.op = op, .kind = Kind::Number}, {left, right});
}

Parser::Parsed Parser::sign() {
    if (!token_.sign("+") && !token_.sign("-")) return primary();
    const bool minus = token_.sign("-");
    const std::size_t at = token_.at;
    if (++depth_ > Selector::kMaxDepth) return wrong(at, "nested too deep");
    if (auto moved = advance(); !moved) return std::move(moved).error();
    minus_ = minus;
    auto value = sign();
    if (!value) return value;
    --depth_;
    if (auto fits = want(*value, Kind::Number, "a number", at); !fits) return std::move(fits).error();
    Node& node = tree_.nodes[*value];
    if (!minus || (node.op == Op::Integer && node.integer == kLeast)) return value;
    if (node.op == Op::Integer) {
        node.integer = -node.integer;
        return value;
    }
    return make({.op = Op::Negate, .kind = Kind::Number}, {*value});
}

Parser::Parsed Parser::primary() {
    Node node;
    const bool minus = std::exchange(minus_, false);
    if (token_.kind == Token::Kind::Integer && token_.integer == kLeast && !minus)
        return wrong(token_.at, "a number beyond 64 bits");
    switch (token_.kind) {
        case Token::Kind::Name:
            return name();
        case Token::Kind::Integer:
            node = {.op = Op::Integer, .kind = Kind::Number, .integer = token_.integer};
            break;
        case Token::Kind::Real:
            node = {.op = Op::Real, .kind = Kind::Number, .real = token_.real};
            break;
        case Token::Kind::Text:
            node = {.op = Op::Text, .kind = Kind::Text};
            keep(node, token_.text);
            break;
        case Token::Kind::Word:
            if (!token_.word("TRUE") && !token_.word("FALSE")) return expected("a value");
            node = {.op = Op::Boolean, .kind = Kind::Boolean, .integer = token_.word("TRUE") ? 1 : 0};
            break;
        default: {
            if (!token_.sign("(")) return expected("a value");
            if (++depth_ > Selector::kMaxDepth) return wrong(token_.at, "nested too deep");
            if (auto moved = advance(); !moved) return std::move(moved).error();
            auto inner = disjunction();
            if (!inner) return inner;
            --depth_;
            if (!token_.sign(")")) return expected("')'");
            if (auto moved = advance(); !moved) return std::move(moved).error();
            return inner;
        }
    }
    if (auto moved = advance(); !moved) return std::move(moved).error();
    return make(node, {});
}

Parser::Parsed Parser::name() {
    if (forbidden(token_.text)) return wrong(token_.at, "a selector can't name the field " + token_.text);
    Node node{.op = Op::Name};
    keep(node, token_.text);
    if (auto moved = advance(); !moved) return std::move(moved).error();
    return make(node, {});
}

Parser::Parsed Parser::make(Node node, std::initializer_list<NodeIndex> children) {
    NodeIndex before = 0;
    for (const NodeIndex each : children) {
        (before ? tree_.nodes[before].next : node.first) = each;
        node.depth = std::max<std::uint16_t>(node.depth, static_cast<std::uint16_t>(tree_.nodes[each].depth + 1));
        before = each;
    }
    // Long sums nest as well; evaluation goes as deep as the tree.
    if (node.depth > 2 * Selector::kMaxDepth) return wrong(token_.at, "nested too deep");
    tree_.nodes.push_back(node);
    return static_cast<NodeIndex>(tree_.nodes.size() - 1);
}

Result<void> Parser::want(NodeIndex node, Kind kind, const char* what, std::size_t at) const {
    const Kind found = tree_.nodes[node].kind;
    if (found == kind || found == Kind::Any) return ok();
    return wrong(at, std::string("there must be ") + what);
}

Result<void> Parser::wantName(NodeIndex node, const char* what, std::size_t at) const {
    if (tree_.nodes[node].op == Op::Name) return ok();
    return wrong(at, std::string(what) + " needs the name of a property before it");
}

Result<void> Parser::advance() {
    auto token = lexer_.next();
    if (!token) return std::move(token).error();
    token_ = std::move(*token);
    return ok();
}

Error Parser::expected(const std::string& what) const {
    return wrong(token_.at, "expected " + what + ", found " + (token_.kind == Token::Kind::End ? "" : "'") +
                                token_.text + (token_.kind == Token::Kind::End ? "" : "'"));
}

void Parser::keep(Node& node, std::string_view text) {
    node.offset = static_cast<std::uint32_t>(tree_.texts.size());
    node.length = static_cast<std::uint32_t>(text.size());
    tree_.texts += text;
}

}  // namespace postbus::queues::selector
