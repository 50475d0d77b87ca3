#include "formats/xml/tape_builder.hpp"

namespace postbus::xml {

void TapeBuilder::begin(Tape& tape) {
    tape_ = &tape;
    tape.clear();
    current_ = POSTBUS_NO_NODE;
    depth_ = 0;
    line_ = 0;
}

std::uint32_t TapeBuilder::append(std::string_view bytes) {
    const auto offset = static_cast<std::uint32_t>(tape_->text_.size());
    tape_->text_.append(bytes);
    return offset;
}

std::uint32_t TapeBuilder::name(std::string_view parts, std::uint32_t uri, std::uint32_t local) {
    const std::uint32_t at = append(parts);
    const auto prefix = static_cast<std::uint32_t>(parts.size()) - uri - local;
    tape_->names_.push_back({at, uri, at + uri, local, at + uri + local, prefix});
    return static_cast<std::uint32_t>(tape_->names_.size() - 1);
}

void TapeBuilder::start(std::uint32_t name, std::uint32_t line) {
    const auto index = static_cast<std::uint32_t>(tape_->nodes_.size());
    tape_->nodes_.push_back({POSTBUS_NODE_ELEMENT, name, 0, 0, POSTBUS_NO_NODE, current_, line});
    current_ = index;
    line_ = line;
    ++depth_;
}

void TapeBuilder::leaf(std::uint32_t kind, std::uint32_t name, std::string_view value) {
    const std::uint32_t offset = append(value);
    const auto next = static_cast<std::uint32_t>(tape_->nodes_.size() + 1);
    tape_->nodes_.push_back({kind, name, offset, static_cast<std::uint32_t>(value.size()), next, current_, line_});
}

void TapeBuilder::text(std::string_view text, std::uint32_t line) {
    if (text.empty()) return;
    postbus_node& last = tape_->nodes_.back();
    if (last.kind == POSTBUS_NODE_TEXT && last.parent == current_) {  // its value still ends the arena
        append(text);
        last.length += static_cast<std::uint32_t>(text.size());
        return;
    }
    line_ = line;
    leaf(POSTBUS_NODE_TEXT, 0, text);
}

void TapeBuilder::end() {
    postbus_node& element = tape_->nodes_[current_];
    element.next = static_cast<std::uint32_t>(tape_->nodes_.size());
    current_ = element.parent;
    --depth_;
}

void TapeBuilder::finish() { tape_->refresh(); }

}  // namespace postbus::xml
