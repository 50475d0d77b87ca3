#pragma once

#include "base/log/event.hpp"

namespace postbus::core {

inline constexpr log::Event FaultUnheard{
    "exchange.fault.unheard", log::Level::Warning,
    "An operation without an answer (in-only) failed after its message had been accepted: its pattern has nobody who "
    "hears the fault. The message is lost to the service; mend the service, or make the operation robust-in-only, "
    "whose callers wait and are told."};

}  // namespace postbus::core
