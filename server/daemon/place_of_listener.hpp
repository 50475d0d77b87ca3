#pragma once

#include <string>
#include <string_view>

#include "server/daemon/options.hpp"

namespace postbus::server {

/// Where the configuration names the listener that `trouble` is about: "FILE:LINE:COLUMN", or the file's name when it
/// is a default.
std::string placeOfListener(const Options& options, const std::string& trouble);

/// Why the daemon does not start: `trouble` is that a listener of `key` ("admin.listen") can't be had. With the place
/// where the configuration says so, and what to say instead.
std::string unlistened(const Options& options, std::string_view key, const std::string& trouble);

}  // namespace postbus::server
