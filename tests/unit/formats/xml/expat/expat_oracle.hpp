#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/xml/tape.hpp"

namespace postbus::xml::test {

/// The events of a document as expat reports them, one a line; none when it, or our rules about DTDs and processing
/// instructions, refuse the document. Always as UTF-8.
std::optional<std::string> eventsByExpat(std::string_view document);

/// The same lines from a tape.
std::string eventsOf(const Tape& tape);

}  // namespace postbus::xml::test
