#include "transports/http/loop/loop.hpp"

#include <pthread.h>

#include <charconv>
#include <cstdio>
#include <random>

#include "transports/http/connection/connection.hpp"
#include "transports/http/listener/acceptor.hpp"

namespace postbus::http {
namespace {

constexpr std::size_t keptSlots = 128, keptTasks = 16;
/// How long calls to backends that were given up have to end.
constexpr milliseconds lastCalls{200};

thread_local Loop* mine = nullptr;

}  // namespace

Loop* Loop::current() { return mine; }

bool Loop::here() const { return mine == this; }

Loop::Loop(core::Bus& bus, std::string threadName, Resolver& resolver)
    : bus_(bus),
      threadName_(std::move(threadName)),
      wheel_(Clock::now()),
      exchanges_(*this),
      clients_(*this, resolver) {
    // Both take turns; that the watchdog asks now and then shall not be what makes them grow.
    tasks_.reserve(keptTasks);
    running_.reserve(keptTasks);
    std::random_device random;
    idPrefix_ = static_cast<std::size_t>(std::snprintf(id_, sizeof id_, "%07x-r", random() & 0xfffffffu));
    thread_ = std::thread([this] { run(); });
    bus_.join(exchanges_);
}

Loop::~Loop() {
    if (thread_.joinable()) thread_.join();
}

void Loop::run() {
    mine = this;
    pthread_setname_np(pthread_self(), threadName_.substr(0, 15).c_str());
    while (!stopped_) {
        poller_.poll(wheel_.next());
        if (now() >= wheel_.next()) wheel_.advance(now());
        drainTasks();
    }
    access_.flush();
}

void Loop::post(std::function<void()> task) {
    std::lock_guard lock(tasksMutex_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > 1) return;  // it has been woken
    posted_.store(true, std::memory_order_release);
    poller_.wake();
}

void Loop::drainTasks() {
    if (!posted_.load(std::memory_order_acquire)) return;
    {
        std::lock_guard lock(tasksMutex_);
        posted_.store(false, std::memory_order_relaxed);
        running_.swap(tasks_);
    }
    for (auto& each : running_) each();
    running_.clear();
}

std::unique_ptr<RequestSlot> Loop::takeSlot() {
    if (slots_.empty()) return std::make_unique<RequestSlot>();
    auto taken = std::move(slots_.back());
    slots_.pop_back();
    return taken;
}

void Loop::giveSlot(std::unique_ptr<RequestSlot> slot) {
    if (slots_.size() >= keptSlots) return;
    slot->clear();
    slots_.push_back(std::move(slot));
}

std::string_view Loop::nextRequestId() {
    const char* end = std::to_chars(id_ + idPrefix_, id_ + sizeof id_, ++ids_, 16).ptr;
    return {id_, static_cast<std::size_t>(end - id_)};
}

void Loop::logAccess(const AccessEntry& entry) {
    if (access_.add(entry)) setTimer(flush_, Clock::now() + milliseconds(500));
}

void Loop::enter(std::shared_ptr<Connection> connection) {
    connection->place = connections_.size();
    connections_.push_back(std::move(connection));
    bump<std::int64_t>(counters_.connections);
}

void Loop::leave(Connection& connection) {
    const std::size_t place = connection.place;
    // The caller holds on to itself: see Connection::close().
    if (place + 1 < connections_.size()) {
        connections_[place] = std::move(connections_.back());
        connections_[place]->place = place;
    }
    connections_.pop_back();
    bump<std::int64_t>(counters_.connections, -1);
}

bool Loop::finish(TimePoint deadline) {
    if (!thread_.joinable()) return true;
    // Asks the loop until it has nothing left: rare, and no work for those that are busy.
    for (bool callsGivenUp = false;;) {
        std::mutex mutex;
        std::condition_variable answered;
        std::optional<bool> idle;
        post([&] {
            const bool none = connections_.empty() && exchanges_.counters().open == 0 && clients_.busy() == 0;
            if (none) clients_.retire();
            if (callsGivenUp) clients_.abort(Error(Error::Kind::Unavailable, "the server is stopping"));
            std::lock_guard lock(mutex);
            idle = none;
            answered.notify_one();
        });
        std::unique_lock lock(mutex);
        answered.wait(lock, [&] { return idle.has_value(); });
        if (*idle) break;
        if (Clock::now() >= deadline + lastCalls) return false;
        callsGivenUp = Clock::now() >= deadline;
        lock.unlock();
        std::this_thread::sleep_for(milliseconds(2));
    }
    bus_.leave(exchanges_);
    // Behind all that has been posted before: someone may wait for it.
    post([this] { stopped_ = true; });
    thread_.join();
    return true;
}

}  // namespace postbus::http
