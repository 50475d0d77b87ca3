#include "queues/selector/selector.hpp"

#include "queues/selector/evaluate.hpp"
#include "queues/selector/parser.hpp"

namespace postbus::queues {

struct Selector::Program {
    std::string text;
    selector::Tree tree;
};

Result<Selector> Selector::compile(std::string_view text) {
    if (text.size() > kMaxLength)
        return Error::invalid("a selector of more than " + std::to_string(kMaxLength) + " bytes");
    if (text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos) return Selector();
    auto tree = selector::Parser(text).parse();
    if (!tree) return std::move(tree).error();
    return Selector(std::make_shared<const Program>(Program{std::string(text), std::move(*tree)}));
}

bool Selector::matches(const SelectorProperties& properties) const {
    return !program_ || selector::evaluate(program_->tree, program_->tree.root, properties) == SelectorValue(true);
}

const std::string& Selector::text() const {
    static const std::string none;
    return program_ ? program_->text : none;
}

}  // namespace postbus::queues
