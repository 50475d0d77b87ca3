#include "plugins/deployer/deployer.hpp"

#include <pthread.h>

#include <poll.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

#include "plugins/deployer/engine.hpp"
#include "plugins/deployer/reaper.hpp"

namespace postbus::deployer {
namespace {

// Hints come in bursts (a copy of many files): one look for all of them.
constexpr milliseconds burst{5};

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
          engine(absolute(std::move(options)), std::move(publish), reaper) {}

    void run(std::promise<void> firstRound) {
        try {
            engine.prepare();
            begin();
        } catch (...) {
            firstRound.set_exception(std::current_exception());
            return;
        }
        firstRound.set_value();
        watch();
        end();
    }

    // Files that were copied right before the start are waited for: they were meant to be there.
    void begin() {
        const TimePoint limit = Clock::now() + quiet + milliseconds(50);
        TimePoint next = engine.round();
        while (engine.settling() && Clock::now() < limit && !stopping()) {
            pause(std::min(next, limit));
            next = engine.round();
        }
        engine.publishIfNever();
        tell();
    }

    void watch() {
        TimePoint next = Clock::now();
        while (!stopping()) {
            pause(next);
            if (stopping()) return;
            next = engine.round();
            tell();
        }
    }

    void end() {
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
    Engine engine;  // the thread's

    mutable std::mutex mutex;
    std::optional<TimePoint> stopAt;
    std::vector<ActiveService> services_;
    std::vector<PluginStatus> rows_;
    std::thread thread;
};

Deployer::Deployer(DeployerOptions options, Publish publish)
    : state_(std::make_unique<State>(std::move(options), std::move(publish))) {}

Deployer::~Deployer() { stop(Clock::now()); }

void Deployer::start() {
    std::promise<void> promise;
    auto firstRound = promise.get_future();
    state_->thread = std::thread([state = state_.get(), given = std::move(promise)]() mutable {
        pthread_setname_np(pthread_self(), "deployer");
        state->run(std::move(given));
    });
    firstRound.get();
}

void Deployer::stop(TimePoint deadline) {
    if (!state_->thread.joinable()) return;
    {
        std::lock_guard lock(state_->mutex);
        state_->stopAt = deadline;
        state_->services_.clear();
    }
    state_->reaper->wake();
    state_->thread.join();
}

std::vector<ActiveService> Deployer::services() const {
    std::lock_guard lock(state_->mutex);
    return state_->services_;
}

std::vector<PluginStatus> Deployer::status() const {
    std::lock_guard lock(state_->mutex);
    return state_->rows_;
}

}  // namespace postbus::deployer
