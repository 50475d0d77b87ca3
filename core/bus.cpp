#include "core/bus.hpp"

#include <algorithm>

namespace postbus::core {
namespace {

void add(Bus::Figures& sum, const ExchangeCounters& each) {
    sum.begun += each.begun;
    sum.faults += each.faults;
    sum.timeouts += each.timeouts;
    sum.abandoned += each.abandoned;
    sum.late += each.late;
    sum.dropped += each.dropped;
    sum.open += each.open;
}

}  // namespace

void Bus::join(ExchangePool& pool) {
    std::lock_guard lock(mutex_);
    pools_.push_back(&pool);
}

void Bus::leave(ExchangePool& pool) {
    std::lock_guard lock(mutex_);
    std::erase(pools_, &pool);
    add(gone_, pool.counters());
}

Bus::Figures Bus::figures() const {
    std::lock_guard lock(mutex_);
    Figures sum = gone_;
    for (const ExchangePool* each : pools_) add(sum, each->counters());
    return sum;
}

void Bus::visitPools(const std::function<void(ExchangePool&)>& visit) const {
    std::lock_guard lock(mutex_);
    for (ExchangePool* each : pools_) visit(*each);
}

}  // namespace postbus::core
