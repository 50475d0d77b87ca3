#pragma once

#include "base/log/event.hpp"

namespace postbus::core {

inline constexpr log::Event FaultUnheard{
    "exchange.fault.unheard", log::Level::Warning,
    "An operation without an answer (in-only) failed after its message had been accepted: its pattern has nobody who "
    "hears the fault. The message is lost to the service; mend the service, or make the operation robust-in-only, "
    "whose callers wait and are told."};

inline constexpr log::Event ExchangeFailed{"exchange.failed", log::Level::Warning,
                                           "A service failed a call by a fault of its own (Receiver): it threw, gave "
                                           "no answer, or said so. The caller got the "
                                           "fault. Mend the service, or what it needs."};

inline constexpr log::Event ExchangeTimedOut{
    "exchange.timeout", log::Level::Warning,
    "A service had not answered when the call's time was over; the caller got a fault, and the answer will come too "
    "late. "
    "Look why it is slow, or give the endpoint more time (endpoints: {NAME: {limits: {timeout: ...}}})."};

}  // namespace postbus::core
