#include "core/routing/route_table.hpp"

#include <atomic>

namespace postbus::core {

Result<void> RouteTable::add(Route route) {
    auto& there = byPath_[route.path];
    for (const auto& each : there) {
        if (each->listener.empty() || route.listener.empty() || each->listener == route.listener)
            return Error::invalid("path " + route.path + " of " + route.name + " is taken by " + each->name);
    }
    there.push_back(std::make_unique<Route>(std::move(route)));
    byName_[there.back()->name].push_back(there.back().get());
    return ok();
}

void RouteTable::addNamed(Route route) {
    unplaced_.push_back(std::make_unique<Route>(std::move(route)));
    byName_[unplaced_.back()->name].push_back(unplaced_.back().get());
}

const Route* RouteTable::find(std::string_view listener, std::string_view path) const {
    const auto there = byPath_.find(path);
    if (there == byPath_.end()) return fallback_.get();
    for (const auto& each : there->second)
        if (each->listener.empty() || each->listener == listener) return each.get();
    return fallback_.get();
}

const Route* RouteTable::named(std::string_view endpoint) const {
    const auto found = byName_.find(endpoint);
    return found == byName_.end() ? nullptr : found->second.front();
}

std::uint64_t RouteTable::nextSerial() {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace postbus::core
