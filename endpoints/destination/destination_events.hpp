#pragma once

#include "base/log/event.hpp"

namespace postbus::destination {

inline constexpr log::Event SendFailed{
    "destination.failed", log::Level::Warning,
    "A message could not be put on its queue or topic, or its answer did not come or can't be read; the caller got a "
    "fault with the same reason. Look at the queue (`postbus queue list`), at who takes from it, and at the "
    "endpoint's `to:` and `send:`."};

}  // namespace postbus::destination
