#include "transports/http/http_transport.hpp"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "transports/http/client/http_sender.hpp"
#include "transports/http/connection/connection.hpp"
#include "transports/http/http_events.hpp"
#include "transports/http/listener/acceptor.hpp"
#include "transports/http/loop/loop.hpp"

namespace postbus::http {
namespace {

unsigned usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

/// How long answers given at the deadline have to leave.
constexpr milliseconds lastAnswers{1000};

Result<std::vector<net::Network>> networks(const std::vector<std::string>& texts, std::string_view listener) {
    std::vector<net::Network> parsed;
    for (const std::string& each : texts) {
        auto network = net::Network::parse(each);
        if (!network)
            return Error::invalid("listener " + std::string(listener) + ": '" + each + "' " +
                                  network.error().message());
        parsed.push_back(*network);
    }
    return parsed;
}

Result<std::shared_ptr<const ListenerSettings>> settingsOf(const HttpListenerConfig& listener,
                                                           const HttpConfig& config) {
    auto settings = std::make_shared<ListenerSettings>();
    settings->name = listener.name.empty() ? listener.address : listener.name;
    settings->limits = listener.limits ? *listener.limits : config.limits;
    for (const auto& [texts, into] :
         {std::pair{&listener.trustedProxies, &settings->trustedProxies}, std::pair{&listener.allow, &settings->allow},
          std::pair{&listener.deny, &settings->deny}}) {
        auto parsed = networks(*texts, settings->name);
        if (!parsed) return std::move(parsed).error();
        *into = std::move(*parsed);
    }
    return std::shared_ptr<const ListenerSettings>(std::move(settings));
}

void add(TransportFigures& sum, const LoopCounters& each) {
    sum.accepted += each.accepted;
    sum.requests += each.requests;
    sum.refused += each.refused;
    sum.connections += each.connections;
}

}  // namespace

class Preparation {
public:
    struct Entry {
        std::shared_ptr<Listener> listener;
        std::shared_ptr<const ListenerSettings> settings;
        bool fresh;
    };
    std::vector<Entry> entries;
};

void DropPreparation::operator()(Preparation* preparation) const { delete preparation; }

struct HttpTransport::State {
    State(core::Bus& theBus, std::string theName) : bus(theBus), name(std::move(theName)) {}

    /// Runs `task` on every loop and waits for all; on a loop's own thread directly.
    void onEachLoop(const std::function<void(Loop&)>& task);
    void retire(const std::vector<std::shared_ptr<Listener>>& gone);
    std::size_t expireAll();
    bool waitForConnections(TimePoint deadline);

    core::Bus& bus;
    const std::string name;
    Resolver resolver;
    HttpClient client;
    HttpSender sender{client};
    std::vector<std::unique_ptr<Loop>> loops;
    mutable std::mutex mutex;  // guards what follows, for listeners()
    std::vector<std::shared_ptr<Listener>> listeners;
    TransportFigures gone;  // of loops that have ended
    bool stopped = false;
};

void HttpTransport::State::onEachLoop(const std::function<void(Loop&)>& task) {
    std::mutex waiting;
    std::condition_variable finished;
    std::size_t left = loops.size();
    const auto one = [&](Loop& loop) {
        task(loop);
        std::lock_guard lock(waiting);
        if (--left == 0) finished.notify_one();
    };
    for (const auto& each : loops)
        if (!each->here()) each->post([&one, loop = each.get()] { one(*loop); });
    for (const auto& each : loops)
        if (each->here()) one(*each);
    std::unique_lock lock(waiting);
    finished.wait(lock, [&] { return left == 0; });
}

/// Takes what the backlogs hold, then closes the sockets.
void HttpTransport::State::retire(const std::vector<std::shared_ptr<Listener>>& goneListeners) {
    if (goneListeners.empty()) return;
    for (const auto& each : goneListeners) each->socket.seal();
    onEachLoop([&](Loop& loop) {
        auto& acceptors = loop.acceptors();
        for (const auto& each : goneListeners) {
            const auto found = std::find_if(acceptors.begin(), acceptors.end(),
                                            [&](const auto& acceptor) { return &acceptor->listener() == each.get(); });
            if (found == acceptors.end()) continue;
            const std::shared_ptr<Acceptor> acceptor = *found;
            acceptors.erase(found);
            acceptor->retire();
        }
    });
    for (const auto& each : goneListeners) {
        each->socket.close();
        log::emit(ListenerClosed,
                  {{"transport", name}, {"listener", each->settings->name}, {"address", each->address}});
    }
}

std::size_t HttpTransport::State::expireAll() {
    std::atomic<std::size_t> expired{0};
    onEachLoop([&](Loop& loop) {
        for (const auto& each : loop.allConnections()) expired += each->expire();
    });
    return expired;
}

bool HttpTransport::State::waitForConnections(TimePoint deadline) {
    for (;;) {
        std::int64_t open = 0;
        for (const auto& each : loops) open += each->counters().connections.load(std::memory_order_relaxed);
        if (open == 0) return true;
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(milliseconds(2));
    }
}

HttpTransport::HttpTransport(core::Bus& bus, std::string name, unsigned threads)
    : state_(std::make_unique<State>(bus, std::move(name))) {
    if (threads == 0) threads = usableCores();
    for (unsigned i = 0; i < threads; ++i) {
        state_->loops.push_back(std::make_unique<Loop>(
            bus, threads == 1 ? state_->name : state_->name + '-' + std::to_string(i), state_->resolver));
        state_->client.add(*state_->loops.back());
    }
}

HttpTransport::~HttpTransport() { stop(Clock::now()); }

Result<PreparationPtr> HttpTransport::prepare(const HttpConfig& config) {
    PreparationPtr preparation(new Preparation);
    std::vector<std::shared_ptr<Listener>> open = state_->listeners;
    for (const HttpListenerConfig& each : config.listen) {
        auto settings = settingsOf(each, config);
        if (!settings) return std::move(settings).error();
        // One that is open already stays, and with it its port where it was to be a free one.
        const auto kept =
            std::find_if(open.begin(), open.end(), [&](const auto& listener) { return listener->key == each.address; });
        if (kept != open.end()) {
            preparation->entries.push_back({*kept, std::move(*settings), false});
            open.erase(kept);
            continue;
        }
        auto socket = ListeningSocket::open(each.address);
        if (!socket) return std::move(socket).error();
        auto listener = std::make_shared<Listener>(each.address, std::move(*socket));
        preparation->entries.push_back({std::move(listener), std::move(*settings), true});
    }
    return preparation;
}

void HttpTransport::apply(PreparationPtr preparation) {
    std::vector<std::shared_ptr<Listener>> wanted;
    for (const auto& each : preparation->entries) wanted.push_back(each.listener);
    std::vector<std::shared_ptr<Listener>> gone;
    {
        std::lock_guard lock(state_->mutex);
        for (const auto& each : state_->listeners)
            if (std::find(wanted.begin(), wanted.end(), each) == wanted.end()) gone.push_back(each);
        state_->listeners = wanted;
        for (const auto& each : preparation->entries) each.listener->settings = each.settings;
    }
    state_->onEachLoop([&](Loop& loop) {
        for (const auto& each : preparation->entries) {
            if (each.fresh) {
                loop.acceptors().push_back(std::make_shared<Acceptor>(loop, each.listener, each.settings));
                loop.acceptors().back()->start();
                continue;
            }
            for (const auto& acceptor : loop.acceptors())
                if (&acceptor->listener() == each.listener.get()) acceptor->configure(each.settings);
        }
    });
    for (const auto& each : preparation->entries)
        if (each.fresh)
            log::emit(
                ListenerOpen,
                {{"transport", state_->name}, {"listener", each.settings->name}, {"address", each.listener->address}});
    state_->retire(gone);
}

std::size_t HttpTransport::stop(TimePoint deadline) {
    if (std::exchange(state_->stopped, true)) return 0;
    std::vector<std::shared_ptr<Listener>> all;
    {
        std::lock_guard lock(state_->mutex);
        all.swap(state_->listeners);
    }
    state_->retire(all);
    std::size_t expired = 0;
    if (!state_->waitForConnections(deadline)) {
        expired = state_->expireAll();
        if (expired) log::emit(StopExpired, {{"transport", state_->name}, {"exchanges", expired}});
        if (!state_->waitForConnections(Clock::now() + lastAnswers))
            state_->onEachLoop([](Loop& loop) {
                for (const auto& each : loop.allConnections()) each->abort();
            });
    }
    const TimePoint last = std::max(deadline, Clock::now() + milliseconds(100));
    state_->client.close();
    state_->resolver.stop();
    std::vector<std::unique_ptr<Loop>> ending;
    {
        std::lock_guard lock(state_->mutex);
        ending.swap(state_->loops);
        for (const auto& each : ending) add(state_->gone, each->counters());
        state_->gone.connections = 0;
    }
    for (auto& each : ending) {
        if (each->finish(last)) continue;
        log::emit(StopHeld, {{"transport", state_->name}});
        // Its exchanges come back to it, some day: it is left to the process.
        (void)each.release();
    }
    return expired;
}

HttpClient& HttpTransport::client() { return state_->client; }

core::Sender& HttpTransport::sender() { return state_->sender; }

std::vector<ListenerStatus> HttpTransport::listeners() const {
    std::lock_guard lock(state_->mutex);
    std::vector<ListenerStatus> status;
    for (const auto& each : state_->listeners)
        status.push_back({each->settings->name, each->address,
                          static_cast<std::uint64_t>(each->connections.load(std::memory_order_relaxed))});
    return status;
}

TransportFigures HttpTransport::figures() const {
    std::lock_guard lock(state_->mutex);
    TransportFigures sum = state_->gone;
    for (const auto& each : state_->loops) add(sum, each->counters());
    return sum;
}

}  // namespace postbus::http
