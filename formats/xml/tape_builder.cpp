#include "formats/xml/tape_builder.hpp"

#include <cstring>

namespace postbus::xml {

void TapeBuilder::begin(Tape& tape) {
    tape_ = &tape;
    tape.clear();
    current_ = POSTBUS_NO_NODE;
    depth_ = 0;
    line_ = 0;
}

char* TapeBuilder::begin(Tape& tape, std::string_view document, std::size_t room) {
    begin(tape);
    char* const text = tape.text_.prepare(document.size() + room);
    std::memcpy(text, document.data(), document.size());
    std::memset(text + document.size(), 0, room);
    return text;
}

std::uint32_t TapeBuilder::append(std::string_view bytes) {
    const auto offset = static_cast<std::uint32_t>(tape_->text_.size());
    tape_->text_.append(bytes);
    return offset;
}

std::uint32_t TapeBuilder::name(std::string_view parts, std::uint32_t uri, std::uint32_t local) {
    const std::uint32_t at = append(parts);
    const auto prefix = static_cast<std::uint32_t>(parts.size()) - uri - local;
    return name(at, uri, at + uri, local, at + uri + local, prefix);
}

void TapeBuilder::text(std::string_view text, std::uint32_t line) {
    if (text.empty()) return;
    postbus_node& last = tape_->nodes_.back();
    if (last.kind == POSTBUS_NODE_TEXT && last.parent == current_) {  // its value still ends the arena
        append(text);
        last.length += static_cast<std::uint32_t>(text.size());
        return;
    }
    this->text(append(text), static_cast<std::uint32_t>(text.size()), line);
}

void TapeBuilder::finish() { tape_->refresh(); }

void TapeBuilder::finish(std::size_t textSize) {
    tape_->text_.commit(textSize);
    tape_->refresh();
}

}  // namespace postbus::xml
