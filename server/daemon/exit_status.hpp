#pragma once

namespace postbus::server {

/// Of postbusd.
enum ExitStatus { exitDone = 0, exitFailed = 1, exitUsage = 2, exitInvalid = 4 };

}  // namespace postbus::server
