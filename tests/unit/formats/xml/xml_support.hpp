#pragma once

#include <string>
#include <string_view>

#include "formats/xml/parse.hpp"
#include "formats/xml/writer.hpp"

namespace postbus::xml::test {

/// A document that must be good.
Tape parsed(std::string_view document, std::string_view charset = {});

/// The message of the error a document gets; empty when it is taken.
std::string refusal(std::string_view document, std::string_view charset = {}, const Limits& limits = {});

/// All that a tape says, one node a line, without line numbers: equal for equal documents.
std::string dump(const Tape& tape);
std::string dumpWithLines(const Tape& tape);

/// What a copy of the element is written as.
std::string copied(Element element);

}  // namespace postbus::xml::test
