#pragma once

#include "queues/selector/lexer.hpp"
#include "queues/selector/node.hpp"

namespace postbus::queues::selector {

/// Makes the tree of a selector: OR, AND, NOT, comparison, + -, * /, signs; by recursive descent with a bound.
class Parser {
public:
    explicit Parser(std::string_view text) : lexer_(text) {}
    Result<Tree> parse();

private:
    using Parsed = Result<NodeIndex>;
    Parsed disjunction();
    Parsed conjunction();
    Parsed negation();
    Parsed predicate();
    Parsed compare(NodeIndex left, Op op);
    Parsed between(NodeIndex value, bool negated);
    Parsed in(NodeIndex name, bool negated);
    Parsed like(NodeIndex name, bool negated);
    Parsed isNull(NodeIndex name);
    Parsed sum();
    Parsed product();
    Parsed sign();
    Parsed primary();
    Parsed name();

    Parsed chain(Op op, const char* word, Parsed (Parser::*operand)());
    Parsed arithmetic(Op op, NodeIndex left, NodeIndex right, std::size_t at);
    Parsed make(Node node, std::initializer_list<NodeIndex> children);
    Result<void> want(NodeIndex node, Kind kind, const char* what, std::size_t at) const;
    Result<void> wantName(NodeIndex node, const char* what, std::size_t at) const;
    Result<void> advance();
    Error expected(const std::string& what) const;
    void keep(Node& node, std::string_view text);

    Lexer lexer_;
    Token token_;
    Tree tree_;
    unsigned depth_ = 0;
    bool minus_ = false;  ///< a minus stands right before the value that comes
};

}  // namespace postbus::queues::selector
