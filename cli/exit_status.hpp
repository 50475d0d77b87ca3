#pragma once

namespace postbus::cli {

/// Of the postbus command; scripts rely on them.
enum ExitStatus { exitDone = 0, exitFailed = 1, exitUsage = 2, exitUnreachable = 3, exitInvalid = 4 };

}  // namespace postbus::cli
