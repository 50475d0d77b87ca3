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

void TapeBuilder::finish(std::size_t textSize) {
    tape_->text_.commit(textSize);
    tape_->refresh();
}

}  // namespace postbus::xml
