#pragma once

#include <postbus/tape.h>

namespace postbus::xml {

/// Whether a tape from elsewhere may be walked: what is wrong with it, or null. In linear time.
///
/// Holds: indices and offsets in bounds, nodes nested and in the order of <postbus/tape.h>, text of Chars in UTF-8,
/// names NCNames; depth, and declarations in scope, at most 10,000 and 4,096. Does not hold: that prefixes stand for
/// what is declared, that attributes differ. Writer sees to both where it matters.
const char* checkTape(const postbus_tape& tape);

}  // namespace postbus::xml
