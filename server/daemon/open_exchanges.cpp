#include "server/daemon/open_exchanges.hpp"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace postbus::server {
namespace {

/// Enough to see what hangs; a flood is told by the count.
constexpr std::size_t listedPerLoop = 1000;

struct Gathering {
    std::mutex mutex;
    std::condition_variable arrived;
    std::vector<admin::ExchangeReport> found;
    std::size_t asked = 0, answered = 0;
};

void collect(Gathering& gathering, const core::ExchangePool& pool) {
    std::vector<admin::ExchangeReport> mine;
    const TimePoint now = Clock::now();
    pool.forEachOpen([&](const core::Exchange& each) {
        if (mine.size() == listedPerLoop) return;
        admin::ExchangeReport report;
        report.id = each.id();
        if (each.admission().route) report.endpoint = each.admission().route->name;
        if (each.operation()) report.operation = each.operation()->name;
        report.peer = each.request().head.peer;
        report.age = std::chrono::duration_cast<milliseconds>(now - each.begun());
        mine.push_back(std::move(report));
    });
    const std::lock_guard lock(gathering.mutex);
    std::move(mine.begin(), mine.end(), std::back_inserter(gathering.found));
    ++gathering.answered;
    gathering.arrived.notify_one();
}

}  // namespace

admin::ExchangesReport openExchanges(const core::Bus& bus, milliseconds patience) {
    // Shared: a loop may get to it long after we have gone.
    const auto gathering = std::make_shared<Gathering>();
    bus.visitPools([&](core::ExchangePool& pool) {
        ++gathering->asked;
        pool.loop().post([gathering, &pool] { collect(*gathering, pool); });
    });
    std::unique_lock lock(gathering->mutex);
    admin::ExchangesReport report;
    report.complete =
        gathering->arrived.wait_for(lock, patience, [&] { return gathering->answered == gathering->asked; });
    report.exchanges = std::move(gathering->found);
    std::stable_sort(report.exchanges.begin(), report.exchanges.end(),
                     [](const auto& a, const auto& b) { return a.age > b.age; });
    report.total = bus.figures().open;
    return report;
}

}  // namespace postbus::server
