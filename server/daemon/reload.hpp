#pragma once

#include <string>
#include <vector>

#include "admin/management.hpp"
#include "server/config/daemon_config.hpp"
#include "server/daemon/logging.hpp"
#include "server/daemon/options.hpp"
#include "server/daemon/parts.hpp"
#include "server/daemon/progress.hpp"

namespace postbus::server {

/// Reads the configuration of these options. Throws config::ConfigError.
DaemonConfig load(const Options& options);

/// Keys that differ and take effect at a start only: "workers.threads".
std::vector<std::string> keysForRestart(const DaemonConfig& inForce, const DaemonConfig& wanted);

/// Replaces the configuration in force by what the file says now. Everything that can fail is done beside the old
/// configuration first; then all is put in place. A problem anywhere leaves everything as it was.
///
/// Used by the main thread alone.
class Reloader {
public:
    Reloader(const Options& options, DaemonConfig started, const StateFolder& state, Parts& parts, Logging& logging,
             Progress& progress)
        : options_(options),
          started_(started),
          inForce_(std::move(started)),
          state_(state),
          parts_(parts),
          logging_(logging),
          progress_(progress) {}

    const DaemonConfig& inForce() const { return inForce_; }

    /// Reads, checks, applies, and says in the log what came of it.
    admin::ReloadReport run();

private:
    admin::ReloadReport tryIt();

    const Options& options_;
    const DaemonConfig started_;
    DaemonConfig inForce_;
    const StateFolder& state_;
    Parts& parts_;
    Logging& logging_;
    Progress& progress_;
};

}  // namespace postbus::server
