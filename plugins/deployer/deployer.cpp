#include "plugins/deployer/deployer.hpp"

#include <pthread.h>

#include <poll.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

#include "plugins/deployer/deployer_events.hpp"
#include "plugins/deployer/engine.hpp"
#include "plugins/deployer/reaper.hpp"

namespace postbus::deployer {
namespace {

// Hints come in bursts (a copy of many files): one look for all of them.
constexpr milliseconds burst{5};
// What a plugin's own start takes before it is told of; what its stop may take beyond the deadline.
constexpr milliseconds longStart{10'000}, grace{500};
// How long the start waits for plugins that are being tried out.
constexpr milliseconds longTrial{2'000};

DeployerOptions absolute(DeployerOptions options) {
    for (std::string* each : {&options.folder, &options.cache, &options.bundled, &options.probe}) {
        if (each->empty()) continue;
        *each = std::filesystem::absolute(*each).lexically_normal().string();
        while (each->size() > 1 && each->back() == '/') each->pop_back();
    }
    return options;
}

int untilMillis(TimePoint when) {
    const auto left = std::chrono::ceil<milliseconds>(when - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

}  // namespace

struct Deployer::State {
    State(DeployerOptions options, Publish publish)
        : quiet(options.quiet),
          reaper(std::make_shared<Reaper>()),
          publish_(std::move(publish)),
          engine(
              absolute(std::move(options)), [this](const auto& all) { return hand(all); }, reaper, states) {}

    void run() {
        try {
            engine.prepare();
            begin();
            firstRound.set_value();
            watch();
            end();
        } catch (...) {  // by prepare(): before there was anything to stop
            firstRound.set_exception(std::current_exception());
        }
        finished.set_value();
    }

    // To the bus, as long as there is one: a plugin whose start takes longer than the bus lives comes too late.
    Result<void> hand(const std::vector<ActiveService>& all) {
        const std::lock_guard lock(publishing);
        if (!publish_) return Error(Error::Kind::Unavailable, "the bus is stopping");
        return publish_(all);
    }

    // Files that were copied right before the start are waited for, and so are those that have to be tried out: they
    // were meant to be there. But not for ever.
    void begin() {
        const TimePoint settled = Clock::now() + quiet + milliseconds(50), tried = settled + longTrial;
        engine.holdBack(true);
        TimePoint next = engine.round();
        for (;;) {
            const TimePoint limit = engine.trying() ? tried : settled;
            if (!(engine.settling() || engine.trying()) || Clock::now() >= limit || stopping()) break;
            pause(std::min(next, limit));
            next = engine.round();
        }
        engine.holdBack(false);
        if (engine.trying()) (void)engine.round();
        engine.publishIfNever();
        tell();
    }

    void watch() {
        TimePoint next = Clock::now();
        while (!stopping()) {
            pause(next);
            if (stopping()) return;
            for (auto& each : orders.take()) engine.hand(std::move(each));
            next = engine.round();
            tell();
            engine.answerOrders();
        }
    }

    void end() {
        orders.close();
        engine.refuseOrders();
        engine.retireAll(deadline());
        tell();
        for (;;) {
            reaper->clearWake();
            const TimePoint next = engine.retirement().progress();
            if (engine.retirement().empty() || Clock::now() >= deadline()) break;
            pollfd wake{reaper->descriptor(), POLLIN, 0};
            poll(&wake, 1, untilMillis(std::min(next, deadline())));
        }
        engine.retirement().giveUp();
        tell();
    }

    // Until `when`, a hint, a generation that was let go, or stop().
    void pause(TimePoint when) {
        pollfd sources[] = {{reaper->descriptor(), POLLIN, 0}, {engine.watchDescriptor(), POLLIN, 0}};
        poll(sources, 2, untilMillis(when));
        if (sources[1].revents) {
            std::this_thread::sleep_for(burst);
            engine.clearWatch();
        }
        if (sources[0].revents) reaper->clearWake();
    }

    void tell() {
        auto services = engine.services();
        auto rows = engine.status();
        std::lock_guard lock(mutex);
        services_.swap(services);
        rows_.swap(rows);
        folderTrouble_ = engine.folderTrouble();
    }

    bool stopping() const {
        std::lock_guard lock(mutex);
        return stopAt.has_value();
    }
    TimePoint deadline() const {
        std::lock_guard lock(mutex);
        return *stopAt;
    }

    const milliseconds quiet;
    std::shared_ptr<Reaper> reaper;
    std::mutex publishing;
    Publish publish_;
    StateLog states;
    OrderDesk orders;
    Engine engine;  // the thread's
    std::promise<void> firstRound, finished;

    mutable std::mutex mutex;
    std::optional<TimePoint> stopAt;
    std::vector<ActiveService> services_;
    std::vector<PluginStatus> rows_;
    std::string folderTrouble_;
    std::thread thread;
};

Deployer::Deployer(DeployerOptions options, Publish publish)
    : state_(std::make_shared<State>(std::move(options), std::move(publish))) {}

Deployer::~Deployer() { stop(Clock::now()); }

void Deployer::start() {
    auto ready = state_->firstRound.get_future();
    state_->thread = std::thread([state = state_] {
        pthread_setname_np(pthread_self(), "deployer");
        state->run();
    });
    while (ready.wait_for(longStart) == std::future_status::timeout)
        log::emit(DeployerBusy, {{"with", state_->engine.activity().now()}});
    ready.get();
}

void Deployer::stop(TimePoint deadline) {
    if (!state_->thread.joinable()) return;
    {
        const std::lock_guard lock(state_->publishing);
        state_->publish_ = nullptr;
    }
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopAt = deadline;
        state_->services_.clear();
    }
    state_->reaper->wake();
    if (state_->finished.get_future().wait_until(std::max(deadline, Clock::now()) + grace) ==
        std::future_status::ready) {
        state_->thread.join();
        return;
    }
    // It is inside of a plugin. What it needs is its own, until it comes out or the process ends.
    log::emit(DeployerBusy, {{"with", state_->engine.activity().now()}});
    state_->thread.detach();
}

std::vector<ActiveService> Deployer::services() const {
    std::lock_guard lock(state_->mutex);
    return state_->services_;
}

std::string Deployer::folderTrouble() const {
    std::lock_guard lock(state_->mutex);
    return state_->folderTrouble_;
}

std::vector<StateChange> Deployer::changes() const { return state_->states.changes(); }
StateLog::Counts Deployer::counts() const { return state_->states.counts(); }

Result<OrderDone> Deployer::perform(Order order, TimePoint until) {
    return state_->orders.ask(std::move(order), until, [this] { state_->reaper->wake(); });
}

std::vector<PluginStatus> Deployer::status() const {
    std::lock_guard lock(state_->mutex);
    return state_->rows_;
}

}  // namespace postbus::deployer
