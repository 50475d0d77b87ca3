#pragma once

#include "admin/management.hpp"
#include "base/clock.hpp"
#include "core/bus.hpp"

namespace postbus::server {

/// Asks every loop of the bus what it has open, and waits for the answers `patience` at most: a loop that a handler
/// blocks does not answer. From any thread that is no loop.
admin::ExchangesReport openExchanges(const core::Bus& bus, milliseconds patience);

}  // namespace postbus::server
