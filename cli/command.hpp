#pragma once

#include "cli/arguments.hpp"

namespace postbus::cli {

/// Does what was asked, writes the outcome; the exit status.
int run(const Arguments& arguments);

}  // namespace postbus::cli
