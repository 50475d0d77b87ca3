#pragma once

#include <postbus/abi.h>

#include <atomic>
#include <mutex>

namespace postbus::core {

/// The watches that plugins have put on a call, to be told when it is cancelled. Their memory is the plugins'.
///
/// A watch is told at most once, on the loop of the call's exchange. remove() and drop() come back only when a watch
/// that is being told has been told, unless it is that watch that calls them.
class WatchList {
public:
    /// From any thread, while the call is held. False, with nothing done: it is cancelled already.
    bool add(postbus_watch& watch);
    /// From any thread; nothing, for one that has been told or dropped.
    static void remove(postbus_watch& watch);

    // By the exchange.
    /// From now on add() says false. On the loop, whether there is anybody to tell.
    bool cancel();
    void tell();
    /// The call has been completed: nobody is told any more. By whoever held it.
    void drop();
    /// For the next exchange.
    void reset() {
        cancelled_ = false;
        used_.store(false, std::memory_order_relaxed);
    }

private:
    class Locked;
    void unlink(postbus_watch& watch);

    std::mutex mutex_;
    std::atomic<const void*> teller_{nullptr};  // marks the thread that is telling, with mutex_
    std::atomic<bool> used_{false};
    bool cancelled_ = false;
    postbus_watch* first_ = nullptr;
    postbus_watch* told_ = nullptr;  // the one that is being told
};

}  // namespace postbus::core
