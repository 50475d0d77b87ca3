#pragma once

#include <string>

#include "server/daemon/options.hpp"

namespace postbus::server {

/// Where the configuration names the listener that `trouble` is about: "FILE:LINE:COLUMN", or the file's name when it
/// is a default.
std::string placeOfListener(const Options& options, const std::string& trouble);

}  // namespace postbus::server
