#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/snapshot.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/exchange/worker_pool.hpp"
#include "core/port/inbound_port.hpp"
#include "core/port/senders.hpp"
#include "core/routing/route_table.hpp"

namespace postbus::core {

/// The bus as its parts see it: the table of the moment, the workers, the loops that carry exchanges.
///
/// Outlives all transports and endpoints. Thread-safe.
class Bus {
public:
    Bus(std::size_t workers, std::size_t backlog) : workers_(workers, backlog), port_(routes_, workers_) {}

    const InboundPort& port() const { return port_; }
    WorkerPool& workers() { return workers_; }
    /// Ways to addresses outside of the bus.
    Senders& senders() { return senders_; }

    std::shared_ptr<const RouteTable> routes() const { return routes_.get(); }
    /// Whether `known` is the table of the moment.
    bool routesAre(const std::shared_ptr<const RouteTable>& known) const { return routes_.is(known); }
    /// From now on new requests see `table`; those under way keep theirs.
    void publish(std::shared_ptr<const RouteTable> table) { routes_.set(std::move(table)); }

    /// Transports say which loops they run, so that figures and open exchanges can be gathered. leave() comes before
    /// the loop stops to take tasks.
    void join(ExchangePool& pool);
    void leave(ExchangePool& pool);

    struct Figures {
        std::uint64_t begun = 0, faults = 0, timeouts = 0, abandoned = 0, late = 0, dropped = 0;
        std::int64_t open = 0;
    };
    Figures figures() const;
    /// Visits the pools of the loops that are there now; none of them leaves meanwhile, so what `visit` posts to their
    /// loops reaches them. It must not wait.
    void visitPools(const std::function<void(ExchangePool&)>& visit) const;

private:
    Snapshot<RouteTable> routes_;
    WorkerPool workers_;
    InboundPort port_;
    Senders senders_;
    mutable std::mutex mutex_;
    std::vector<ExchangePool*> pools_;
    Figures gone_;
};

}  // namespace postbus::core
