#pragma once

#include <string>

namespace postbus::http {

/// Where the access log goes, for the whole process: one line per answer, gathered per loop and written in larger
/// pieces (at the latest after a second). Set before the loops start and again at a reload.
struct AccessLogSettings {
    bool enabled = true;
    bool json = false;
    int descriptor = 2;  ///< borrowed
};
void configureAccessLog(const AccessLogSettings& settings);

}  // namespace postbus::http
