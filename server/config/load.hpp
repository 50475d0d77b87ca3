#pragma once

#include <optional>
#include <span>
#include <string>

#include "server/config/daemon_config.hpp"

namespace postbus::server {

/// The configuration in `file` (none: the built-in defaults) with each PATH=VALUE of `sets` applied, checked as a
/// whole; for the start, a reload, postbusd --check and postbus check alike. Opens nothing but the file.
///
/// Throws config::ConfigError with every problem found.
DaemonConfig loadDaemonConfig(const std::optional<std::string>& file, std::span<const std::string> sets = {});

}  // namespace postbus::server
