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

std::uint32_t TapeBuilder::name(std::string_view prefix, std::string_view uri, std::string_view local) {
    postbus_name name{};
    name.uri = append(uri);
    name.uri_length = static_cast<std::uint32_t>(uri.size());
    name.local = append(local);
    name.local_length = static_cast<std::uint32_t>(local.size());
    name.prefix = append(prefix);
    name.prefix_length = static_cast<std::uint32_t>(prefix.size());
    tape_->names_.push_back(name);
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
