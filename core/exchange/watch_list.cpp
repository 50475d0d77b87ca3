#include "core/exchange/watch_list.hpp"

#include <utility>

namespace postbus::core {
namespace {

// What the bus keeps in a watch.
enum Slot { Owner, Next, Previous };

postbus_watch*& link(postbus_watch& watch, Slot slot) { return reinterpret_cast<postbus_watch*&>(watch.bus[slot]); }

void own(postbus_watch& watch, WatchList* owner) {
    std::atomic_ref<void*>(watch.bus[Owner]).store(owner, std::memory_order_release);
}

/// An address that no other thread has.
const void* thisThread() {
    static constinit thread_local char mark = 0;
    return &mark;
}

}  // namespace

/// The lock, unless this thread has it: while it tells a watch, which may call back.
class WatchList::Locked {
public:
    explicit Locked(WatchList& list)
        : list_(list), mine_(list.teller_.load(std::memory_order_relaxed) != thisThread()) {
        if (mine_) list_.mutex_.lock();
    }
    ~Locked() {
        if (mine_) list_.mutex_.unlock();
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    WatchList& list_;
    const bool mine_;
};

bool WatchList::add(postbus_watch& watch) {
    const Locked lock(*this);
    if (cancelled_) return false;
    used_.store(true, std::memory_order_relaxed);
    link(watch, Next) = first_;
    link(watch, Previous) = nullptr;
    if (first_) link(*first_, Previous) = &watch;
    first_ = &watch;
    own(watch, this);
    return true;
}

void WatchList::unlink(postbus_watch& watch) {
    postbus_watch* const next = link(watch, Next);
    postbus_watch* const previous = link(watch, Previous);
    (previous ? link(*previous, Next) : first_) = next;
    if (next) link(*next, Previous) = previous;
}

void WatchList::remove(postbus_watch& watch) {
    std::atomic_ref<void*> owner(watch.bus[Owner]);
    auto* const list = static_cast<WatchList*>(owner.load(std::memory_order_acquire));
    if (!list) return;
    const Locked lock(*list);
    if (!owner.load(std::memory_order_relaxed)) return;
    if (list->told_ == &watch)
        list->told_ = nullptr;  // it removes itself, and may be gone when it comes back
    else
        list->unlink(watch);
    own(watch, nullptr);
}

bool WatchList::cancel() {
    const Locked lock(*this);
    cancelled_ = true;
    return first_ != nullptr;
}

void WatchList::tell() {
    const std::lock_guard lock(mutex_);
    teller_.store(thisThread(), std::memory_order_relaxed);
    while (postbus_watch* const watch = first_) {
        unlink(*watch);
        told_ = watch;
        watch->cancelled(watch);
        if (std::exchange(told_, nullptr)) own(*watch, nullptr);
    }
    teller_.store(nullptr, std::memory_order_relaxed);
}

void WatchList::drop() {
    if (!used_.load(std::memory_order_relaxed)) return;
    const Locked lock(*this);
    if (postbus_watch* const telling = std::exchange(told_, nullptr)) own(*telling, nullptr);
    while (postbus_watch* const watch = first_) {
        unlink(*watch);
        own(*watch, nullptr);
    }
}

}  // namespace postbus::core
