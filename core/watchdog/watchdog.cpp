#include "core/watchdog/watchdog.hpp"

#include <pthread.h>

#include <algorithm>

namespace postbus::core {
namespace {

constexpr milliseconds shortestRound{5}, longestRound{1'000}, lagRound{1'000};

}  // namespace

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void Watchdog::watch(milliseconds limit) {
    const std::lock_guard lock(mutex_);
    limit_ = limit;
    changed_.notify_all();
    if (limit.count() && !thread_.joinable()) thread_ = std::thread([this] { run(); });
}

std::vector<Watchdog::Lag> Watchdog::lags() const {
    std::vector<Lag> all;
    bus_.visitPools([&](ExchangePool& pool) {
        const LoopSight::Lag lag = pool.sight().lag();
        all.push_back({std::string(pool.loop().name()), lag.last, lag.longest});
    });
    return all;
}

void Watchdog::run() {
    pthread_setname_np(pthread_self(), "watchdog");
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (!limit_.count()) {
            changed_.wait(lock);
            continue;
        }
        look(Clock::now(), limit_);
        changed_.wait_for(lock, std::clamp(limit_ / 2, shortestRound, longestRound));
    }
}

void Watchdog::look(TimePoint now, milliseconds limit) const {
    bus_.visitPools([&](ExchangePool& pool) {
        pool.sight().look(now, limit);
        pool.sight().measure(pool.loop(), now, limit, lagRound);
    });
}

}  // namespace postbus::core
