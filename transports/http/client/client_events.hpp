#pragma once

#include "base/log/event.hpp"

namespace postbus::http {

inline constexpr log::Event BackendFailed{
    "backend.failed", log::Level::Warning,
    "A backend could not be called, or did not answer as it should; the caller got a fault with the same reason. Look "
    "at the backend, and at the endpoint's `to:` and `backend:`."};
inline constexpr log::Event BackendCut{"backend.cut", log::Level::Warning,
                                       "A backend's answer ended before its end, after a part of it had been passed "
                                       "on. The caller's connection was closed, "
                                       "so that it can't take the part for the whole."};

}  // namespace postbus::http
