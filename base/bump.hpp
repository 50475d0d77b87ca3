#pragma once

#include <atomic>

namespace postbus {

/// One more, by the only thread that writes it, for all to read: no locked instruction.
template <class Number>
void bump(std::atomic<Number>& counter, Number by = 1) {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace postbus
