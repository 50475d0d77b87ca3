#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace postbus::elf {

/// What the bytes of a plugin tell without running any of it.
struct Report {
    /// What its author should know; no reason to refuse.
    std::vector<std::string> warnings;
};

/// Looks through a shared library for what would make it unfit to be loaded, replaced and unloaded while the bus runs:
/// cut off, another machine, no entry, code that can't be unmapped (STB_GNU_UNIQUE, DF_1_NODELETE) or is called after
/// it was (on_exit), text relocations, an executable stack, a search path outside of its own folder. The error names
/// the remedy. Any bytes are safe to pass.
Result<Report> inspect(std::string_view bytes, std::string_view entrySymbol);

}  // namespace postbus::elf
