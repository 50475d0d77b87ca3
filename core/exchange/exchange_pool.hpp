#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/executor.hpp"
#include "core/exchange/exchange.hpp"
#include "core/watchdog/loop_sight.hpp"

namespace postbus::core {

/// Figures of one loop, read by anyone; written by the loop alone.
struct ExchangeCounters {
    std::atomic<std::uint64_t> begun{0}, faults{0}, timeouts{0}, abandoned{0}, late{0};
    std::atomic<std::uint64_t> dropped{0};  ///< by whoever held them: written by any thread
    std::atomic<std::int64_t> open{0};      ///< begun and not yet ended by their holder
};

/// The exchanges of one loop: their memory, which circulates, and their count.
///
/// Belongs to a loop, named by its executor. begin() and all that is not said otherwise runs there. It outlives its
/// exchanges: destroy it only when counters().open is 0.
class ExchangePool {
public:
    explicit ExchangePool(Executor& loop);
    ~ExchangePool();
    ExchangePool(const ExchangePool&) = delete;
    ExchangePool& operator=(const ExchangePool&) = delete;

    Executor& loop() const { return loop_; }
    const ExchangeCounters& counters() const { return counters_; }
    /// What the loop is inside of just now.
    LoopSight& sight() { return sight_; }

    /// A fresh exchange for a request. `request` comes back empty, with memory of an earlier one.
    ExchangePtr begin(Admission&& admission, WireRequest& request, ReplyTo&& replyTo);
    /// One for a message that is no request of a wire's; `begun` is when it came.
    ExchangePtr begin(Admission&& admission, TimePoint begun, ReplyTo&& replyTo);

    /// Memory for an answer outside of any exchange, and back: transports return what they have sent.
    Buffer takeBuffer();
    void giveBuffer(Buffer&& buffer);

    /// What is open now, oldest first.
    void forEachOpen(const std::function<void(const Exchange&)>& visit) const;

private:
    friend class Exchange;
    friend class ExchangeRef;
    friend class InboundPort;
    friend struct DropExchange;
    Exchange& take();
    ExchangePtr open(Exchange& exchange);
    void give(Exchange& exchange);
    void shed();

    Executor& loop_;
    ExchangeCounters counters_;
    LoopSight sight_;
    Exchange* free_ = nullptr;
    Exchange* surplus_ = nullptr;
    Exchange* firstOpen_ = nullptr;
    Exchange* lastOpen_ = nullptr;
    std::size_t freeCount_ = 0;
    std::vector<Buffer> buffers_;
    std::uint64_t serial_ = 0;
    ExchangeIds ids_;
};

}  // namespace postbus::core
