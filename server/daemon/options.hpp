#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace postbus::server {

/// The command line of postbusd.
struct Options {
    std::string config;            ///< --config FILE; empty: built-in defaults
    std::vector<std::string> set;  ///< --set PATH=VALUE, in order
    bool check = false;
    bool help = false, version = false;
};

/// Error texts are for the user. `arguments` without the program's name.
Result<Options> parseOptions(std::span<const char* const> arguments);

extern const std::string_view usage;

}  // namespace postbus::server
