#include "transports/http/loop/loop.hpp"

#include <pthread.h>

#include <boost/asio/post.hpp>
#include <charconv>
#include <cstdio>
#include <random>

#include "transports/http/connection/connection.hpp"
#include "transports/http/listener/acceptor.hpp"

namespace postbus::http {
namespace {

constexpr std::size_t keptSlots = 64;

}  // namespace

Loop::Loop(core::Bus& bus, std::string threadName)
    : bus_(bus),
      threadName_(std::move(threadName)),
      // Each descriptor is used by this thread alone: only the queue of tasks needs its lock.
      context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      guard_(context_.get_executor()),
      poller_(context_),
      timer_(context_.get_executor()),
      wheel_(Clock::now()),
      exchanges_(*this) {
    std::random_device random;
    idPrefix_ = static_cast<std::size_t>(std::snprintf(id_, sizeof id_, "%07x-r", random() & 0xfffffffu));
    thread_ = std::thread([this] { run(); });
    bus_.join(exchanges_);
}

Loop::~Loop() {
    if (thread_.joinable()) thread_.join();
}

void Loop::run() {
    pthread_setname_np(pthread_self(), threadName_.substr(0, 15).c_str());
    context_.run();
    access_.flush();
}

void Loop::post(std::function<void()> task) {
    std::lock_guard lock(tasksMutex_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > 1) return;  // it has been woken
    boost::asio::post(context_, WithMemory{&wakeMemory_, [this] { drainTasks(); }});
}

void Loop::drainTasks() {
    {
        std::lock_guard lock(tasksMutex_);
        running_.swap(tasks_);
    }
    for (auto& each : running_) each();
    running_.clear();
}

void Loop::setTimer(Timer& timer, TimePoint deadline) {
    if (wheel_.set(timer, deadline)) armTimer();
}

void Loop::armTimer() {
    const TimePoint next = wheel_.next();
    if (next >= armedFor_) return;
    armedFor_ = next;
    // Replaces a wait that is under way; its handler comes with operation_aborted.
    timer_.expires_at(next);
    otherMemory_ = !otherMemory_;
    timer_.async_wait(WithMemory{&timerMemory_[otherMemory_], [this](const boost::system::error_code& failed) {
                                     if (failed) return;
                                     armedFor_ = TimePoint::max();
                                     wheel_.advance(Clock::now());
                                     armTimer();
                                 }});
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
    for (;;) {
        std::mutex mutex;
        std::condition_variable answered;
        std::optional<bool> idle;
        post([&] {
            const bool none = connections_.empty() && exchanges_.counters().open == 0;
            std::lock_guard lock(mutex);
            idle = none;
            answered.notify_one();
        });
        std::unique_lock lock(mutex);
        answered.wait(lock, [&] { return idle.has_value(); });
        if (*idle) break;
        if (Clock::now() >= deadline) return false;
        lock.unlock();
        std::this_thread::sleep_for(milliseconds(2));
    }
    bus_.leave(exchanges_);
    // Behind all that has been posted before: someone may wait for it.
    post([this] { context_.stop(); });
    thread_.join();
    return true;
}

}  // namespace postbus::http
