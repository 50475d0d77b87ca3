#pragma once

#include <string>

#include "base/result.hpp"

namespace postbus::cli {

/// What a compiler needs to make a plugin of a source: g++ $(postbus plugin flags) hello.cpp -o hello.so. For GCC and
/// clang. The SDK is looked for beside the program, where it is installed with it: ../include, ../lib/cmake.
Result<std::string> pluginFlags();

}  // namespace postbus::cli
