#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::cli {

/// What `postbus help` prints; with one of its commands what is said of that one, and of the options that all have.
std::string usage(std::string_view command = {});

/// "see postbus help queue": where a call that was not understood is explained. `arguments` without the program's name.
std::string pointer(std::span<const char* const> arguments);

/// "unknown option --wiat, did you mean --wait?"
Error unknown(std::string_view what, std::string_view word, std::span<const std::string_view> known);
Error unknownCommand(std::string_view word);

}  // namespace postbus::cli
