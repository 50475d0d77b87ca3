#pragma once

#include <string_view>

#include "base/result.hpp"
#include "formats/xml/parse.hpp"

namespace postbus::xml {

// The two readers behind parse(), apart, for those who hold them against each other. Both take what toUtf8() gives, not
// empty and without a second byte order mark, and are re-entrant as parse() is.

/// The scanner: yes and a full tape, or no and an empty one (scanner/document_scanner.hpp).
bool readByScanner(std::string_view document, const Limits& limits, Tape& tape);

/// libxml2, and what is checked before it: the judge of all that the scanner refuses, and the voice of all errors.
Result<void> readByLibxml2(std::string_view document, const Limits& limits, Tape& tape);

}  // namespace postbus::xml
