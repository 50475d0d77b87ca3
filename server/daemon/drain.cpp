#include "server/daemon/drain.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <thread>

#include "server/daemon/daemon_events.hpp"
#include "server/daemon/open_exchanges.hpp"

namespace postbus::server {
namespace {

/// The transport's stop, on a thread of its own, so that the main thread still hears signals. Shared with that thread.
struct Stopping {
    int done = eventfd(0, EFD_CLOEXEC);
    std::size_t unanswered = 0;
    ~Stopping() { close(done); }
};

/// How long before the limit the calls that will be cut are listed: the transport answers them at the limit.
constexpr milliseconds lead{100};
/// How long after the limit the transport may take to give the last answers and end its loops.
constexpr milliseconds grace{3000};

void nameOpenCalls(const core::Bus& bus) {
    for (const admin::ExchangeReport& each : openExchanges(bus, lead / 2).exchanges)
        log::emit(ExchangeCut, {{"request", each.id},
                                {"endpoint", each.endpoint},
                                {"operation", each.operation},
                                {"peer", each.peer},
                                {"age", static_cast<double>(each.age.count()) / 1000}});
}

bool endsNow(Signals& signals) {
    while (const auto signal = signals.next())
        if (*signal != SIGHUP) return true;
    return false;
}

}  // namespace

Drained drain(Parts& parts, Signals& signals, milliseconds limit) {
    const TimePoint deadline = Clock::now() + limit;
    log::emit(DaemonDraining,
              {{"open", parts.bus.figures().open}, {"limit", static_cast<double>(limit.count()) / 1000}});
    const auto stopping = std::make_shared<Stopping>();
    std::thread stopper([stopping, deadline, &http = parts.http, &queues = parts.queues] {
        std::thread other([&queues, deadline] { queues.drain(deadline); });
        stopping->unanswered = http.stop(deadline);
        other.join();
        queues.stop();  // what was accepted could be sent to the last
        eventfd_write(stopping->done, 1);
    });

    bool named = false;
    for (;;) {
        const TimePoint next = named ? deadline + grace : deadline - lead;
        const auto left = std::chrono::ceil<milliseconds>(next - Clock::now()).count();
        pollfd waits[] = {{stopping->done, POLLIN, 0}, {signals.descriptor(), POLLIN, 0}};
        poll(waits, 2, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
        if (waits[0].revents) break;
        const bool second = waits[1].revents && endsNow(signals);
        const bool late = Clock::now() >= next;
        if (!named && (second || late)) nameOpenCalls(parts.bus);
        if (second || (named && late)) {
            stopper.detach();
            return {second ? Drained::End::Aborted : Drained::End::Stuck, 0};
        }
        named = named || late;
    }
    stopper.join();
    return {Drained::End::Done, stopping->unanswered};
}

}  // namespace postbus::server
