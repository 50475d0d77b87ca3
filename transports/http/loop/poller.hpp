#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <vector>

#include "base/clock.hpp"

namespace postbus::http {

/// One that waits for a descriptor.
class Pollable {
public:
    /// EPOLLIN, EPOLLOUT, EPOLLPRI, EPOLLRDHUP, EPOLLHUP, EPOLLERR: what has changed, and all else that holds now. May
    /// end the object.
    virtual void onReady(std::uint32_t events) = 0;
    /// The next step, for one that has put it off. May end the object.
    virtual void onTurn() {}

protected:
    ~Pollable() = default;
};

/// What a loop waits in: tells those on it what their descriptors are ready for.
///
/// A descriptor is entered once, edge-triggered, for all that may happen to it; there is no call to the kernel to wait
/// again. Those that are ready at once take their steps together: see putOff(). For the loop's thread but for wake().
class Poller {
public:
    static constexpr std::uint32_t everyChange = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET;

    /// Throws std::system_error when the kernel has no descriptors left.
    Poller();
    ~Poller();
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

    /// False: the kernel refuses, for want of memory.
    bool add(int descriptor, Pollable& who, std::uint32_t events = everyChange);
    /// Before the descriptor is closed. No event reaches `who` any more, not even one that has been fetched, and no
    /// turn.
    void remove(int descriptor, Pollable& who);

    /// Puts who's next step off until the others that are ready now have come as far: onTurn() is called then. False,
    /// and nothing is put off, when there are no others.
    ///
    /// A batch so goes through the same code together, and its answers leave in a row: the processor has each stage's
    /// instructions at hand, and the callers are woken once instead of for each answer.
    bool putOff(Pollable& who);
    /// Gives the others a turn first: who's onTurn() is called with the next batch.
    void yield(Pollable& who) { yielded_.push_back(&who); }

    /// Waits until a descriptor is ready, someone has yielded, wake() has been called, or `until`; then tells all.
    void poll(TimePoint until);
    /// When poll() last came back from waiting: what is ready has been so since then or before.
    TimePoint now() const { return now_; }
    /// Ends the poll() under way, or else the next one, at once. From any thread.
    void wake();

private:
    struct Waker final : Pollable {
        void onReady(std::uint32_t events) override;
        int descriptor = -1;
    };

    int timeout(TimePoint until) const;
    void takeTurns();

    static constexpr int batch = 128;  // then timers and tasks have their turn
    int epoll_;
    Waker waker_;
    TimePoint now_ = Clock::now();
    epoll_event events_[batch];
    int next_ = 0, fetched_ = 0;
    bool gathering_ = false;
    std::vector<Pollable*> putOff_, yielded_, turn_;
};

}  // namespace postbus::http
