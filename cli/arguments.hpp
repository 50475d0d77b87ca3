#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace postbus::cli {

/// Whether a command has an option of some name, and whether that takes a value.
enum class OptionKind { None, Flag, Value };

/// postbus [--admin WHERE] [--json] COMMAND [OPERAND]...; options may stand anywhere.
struct Arguments {
    std::string command;
    std::vector<std::string> operands;
    std::string admin;                                         ///< --admin; empty: look for the daemon
    std::vector<std::string> set;                              ///< --set PATH=VALUE, for check
    std::vector<std::pair<std::string, std::string>> options;  ///< of `queue` and `call`, with their dashes
    bool json = false, help = false, version = false;          ///< help: of `command`, or of all when that is empty
};

/// Error texts are for the user, one line each. `arguments` without the program's name.
Result<Arguments> parseArguments(std::span<const char* const> arguments);

}  // namespace postbus::cli
