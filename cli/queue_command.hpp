#pragma once

#include <span>
#include <string_view>

#include "base/result.hpp"
#include "cli/arguments.hpp"

namespace postbus::cli {

/// Whether the verb, its operands and its options fit together; the error is for the user.
Result<void> checkQueueCommand(const Arguments& arguments);

/// An option of `postbus queue`: whether there is one of that name, and whether it takes a value.
OptionKind queueOption(std::string_view name);

/// The names of all of them.
std::span<const std::string_view> queueOptions();

/// postbus queue VERB ...; the exit status. Throws Unreachable.
int runQueueCommand(const Arguments& arguments);

}  // namespace postbus::cli
