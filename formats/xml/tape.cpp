#include "formats/xml/tape.hpp"

namespace postbus::xml {

void Tape::swap(Tape& other) noexcept {
    nodes_.swap(other.nodes_);
    names_.swap(other.names_);
    text_.swap(other.text_);
    std::swap(view_, other.view_);
}

/// What it holds stays; an empty tape gives back all.
void Tape::shrink() {
    nodes_.shrink();
    names_.shrink();
    Buffer text(text_.size());
    text.append(text_.view());
    text_.swap(text);
    refresh();
}

}  // namespace postbus::xml
