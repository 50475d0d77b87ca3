#pragma once

#include "base/log/event.hpp"

namespace postbus::log {

inline constexpr log::Event LinesDropped{
    "log.dropped", Level::Warning,
    "Lines of this log, or of the access log, were dropped, for whoever reads it had stopped to: the bus does not wait "
    "for its reader. Look at what the log is piped into."};

}  // namespace postbus::log
