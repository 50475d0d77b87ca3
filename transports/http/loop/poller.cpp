#include "transports/http/loop/poller.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

namespace postbus::http {
namespace {

int opened(int descriptor, const char* what) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
    return descriptor;
}

}  // namespace

Poller::Poller() : epoll_(opened(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")) {
    for (auto* turns : {&putOff_, &yielded_, &turn_}) turns->reserve(batch);
    waker_.descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (waker_.descriptor >= 0 && add(waker_.descriptor, waker_)) return;
    const int reason = errno;
    if (waker_.descriptor >= 0) ::close(waker_.descriptor);
    ::close(epoll_);
    throw std::system_error(reason, std::generic_category(), "eventfd");
}

Poller::~Poller() {
    ::close(waker_.descriptor);
    ::close(epoll_);
}

bool Poller::add(int descriptor, Pollable& who, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = &who;
    return epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void Poller::remove(int descriptor, Pollable& who) {
    epoll_event none{};
    epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, &none);
    for (int i = next_; i < fetched_; ++i)
        if (events_[i].data.ptr == &who) events_[i].data.ptr = nullptr;
    for (auto* turns : {&putOff_, &yielded_, &turn_})
        std::replace(turns->begin(), turns->end(), &who, static_cast<Pollable*>(nullptr));
}

bool Poller::putOff(Pollable& who) {
    if (!gathering_) return false;
    putOff_.push_back(&who);
    return true;
}

/// In milliseconds, rounded up: never too early. Counted from when poll() last came back, which saves a look at the
/// clock and is late by as long as the last batch took.
int Poller::timeout(TimePoint until) const {
    if (!yielded_.empty() || until <= now_) return 0;
    if (until == TimePoint::max()) return -1;
    const auto left = std::chrono::ceil<milliseconds>(until - now_).count();
    return static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
}

void Poller::poll(TimePoint until) {
    fetched_ = std::max(0, epoll_wait(epoll_, events_, batch, timeout(until)));  // EINTR: as if nothing were ready
    now_ = Clock::now();
    gathering_ = fetched_ + static_cast<int>(yielded_.size()) > 1;
    turn_.swap(yielded_);
    takeTurns();
    for (next_ = 0; next_ < fetched_;) {
        const epoll_event& each = events_[next_++];
        if (each.data.ptr) static_cast<Pollable*>(each.data.ptr)->onReady(each.events);
    }
    next_ = fetched_ = 0;
    // The steps that were put off, then those that they put off in turn.
    turn_.swap(putOff_);
    takeTurns();
    gathering_ = false;
    turn_.swap(putOff_);
    takeTurns();
}

void Poller::takeTurns() {
    for (std::size_t i = 0; i < turn_.size(); ++i)
        if (Pollable* each = std::exchange(turn_[i], nullptr)) each->onTurn();
    turn_.clear();
}

void Poller::wake() {
    const std::uint64_t one = 1;
    // Can only fail when the counter is full: then it is awake already.
    (void)!::write(waker_.descriptor, &one, sizeof one);
}

void Poller::Waker::onReady(std::uint32_t) {
    std::uint64_t count;
    (void)!::read(descriptor, &count, sizeof count);
}

}  // namespace postbus::http
