#pragma once

#include <span>
#include <string_view>

#include "base/result.hpp"
#include "cli/arguments.hpp"

namespace postbus::cli {

/// `postbus plugin VERB ...`: has the daemon deploy, undeploy, roll back, enable or disable one, and tells what became
/// of it.
int runPluginCommand(const Arguments& arguments);
/// The error says what of the command line is wrong.
Result<void> checkPluginCommand(const Arguments& arguments);
/// Its options.
OptionKind pluginOption(std::string_view name);
/// The names of all of them.
std::span<const std::string_view> pluginOptions();

}  // namespace postbus::cli
