#include "formats/xml/tape.hpp"

namespace postbus::xml {

void Tape::swap(Tape& other) noexcept {
    nodes_.swap(other.nodes_);
    names_.swap(other.names_);
    text_.swap(other.text_);
    std::swap(view_, other.view_);
}

void Tape::clear() {
    nodes_.clear();
    names_.clear();
    text_.clear();
    refresh();
}

void Tape::shrink(std::size_t bytesToKeep) {
    const std::size_t held =
        nodes_.capacity() * sizeof(postbus_node) + names_.capacity() * sizeof(postbus_name) + text_.capacity();
    if (held <= bytesToKeep) return;
    // What it holds stays; an empty tape gives back all.
    nodes_.shrink();
    names_.shrink();
    Buffer text(text_.size());
    text.append(text_.view());
    text_.swap(text);
    refresh();
}

void Tape::refresh() {
    view_.nodes = nodes_.data();
    view_.names = names_.data();
    view_.text = text_.data();
    view_.node_count = static_cast<std::uint32_t>(nodes_.size());
    view_.name_count = static_cast<std::uint32_t>(names_.size());
    view_.text_size = static_cast<std::uint32_t>(text_.size());
}

}  // namespace postbus::xml
