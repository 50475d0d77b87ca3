#include "plugins/messaging/owed.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "plugins/messaging/convert.hpp"
#include "plugins/messaging/hub.hpp"

namespace postbus::messaging {
namespace {

constexpr const char* outcome = "the outcome of a queue's operation";

/// A thread that waits for its outcome.
class Wait {
public:
    void over(Ended ended) {
        const std::lock_guard lock(mutex_);
        ended_ = std::move(ended);
        told_.notify_one();  // with the lock: whoever waits may be gone right after it
    }
    Ended result() {
        std::unique_lock lock(mutex_);
        told_.wait(lock, [this] { return ended_.has_value(); });
        return std::move(*ended_);
    }

private:
    std::mutex mutex_;
    std::condition_variable told_;
    std::optional<Ended> ended_;
};

}  // namespace

Ended Ended::of(const Error& error) { return {resultKind(error.kind()), error.message()}; }
Ended Ended::of(const Result<void>& result) { return result ? Ended{} : of(result.error()); }

void tell(const Owner& owner, postbus_queue_then then, void* context, const Ended& ended) {
    postbus_queue_result result{};
    result.size = sizeof result;
    result.kind = ended.kind;
    result.reason = lend(ended.reason);
    result.delivery = ended.delivery ? ended.delivery->c() : nullptr;
    try {
        then(context, &result);
    } catch (...) {
        owner.misbehaved(outcome);
    }
}

Owed::~Owed() { tell({POSTBUS_QUEUE_UNAVAILABLE, "the queues were closed before it was done"}); }

void Owed::tell(Ended ended) {
    if (!told_.exchange(true)) teller_(std::move(ended));
}

queues::Done Owed::by(OwedPtr owed) {
    return [owed = std::move(owed)](const Result<void>& done) { owed->tell(Ended::of(done)); };
}

namespace {

/// What is thrown here is for want of memory; the outcome is told as what is owed is dropped.
void beginQuietly(const std::function<void(OwedPtr)>& begin, OwedPtr owed) {
    try {
        begin(std::move(owed));
    } catch (...) {
    }
}

OwedPtr makeOwed(Owed::Teller teller) {
    try {
        return std::make_shared<Owed>(std::move(teller));
    } catch (...) {
        return nullptr;
    }
}

const Ended noMemory{POSTBUS_QUEUE_UNAVAILABLE, "not enough memory"};

}  // namespace

void owe(Hub& hub, Owner& owner, bool wait, postbus_queue_then then, void* context,
         const std::function<void(OwedPtr)>& begin) {
    if (wait && hub.onLoop())
        return tell(owner, then, context,
                    {POSTBUS_QUEUE_BLOCKING, "this thread must not wait; an operation that waits is not nonblocking"});
    if (wait) {
        Ended ended = noMemory;
        Wait waiter;
        if (OwedPtr owed = makeOwed([&waiter](Ended come) { waiter.over(std::move(come)); })) {
            const core::WorkerPool::Waiting waiting(hub.bus().workers());
            beginQuietly(begin, std::move(owed));
            ended = waiter.result();
        }
        return tell(owner, then, context, ended);
    }
    owner.enter();
    OwedPtr owed = makeOwed([&hub, &owner, then, context](Ended come) {
        hub.call(owner, outcome, [&owner, then, context, ended = std::move(come)] {
            tell(owner, then, context, ended);
            owner.leave();  // with it the deployer may unload the code
        });
    });
    if (owed) return beginQuietly(begin, std::move(owed));
    tell(owner, then, context, noMemory);
    owner.leave();
}

void settle(postbus_delivery* delivery, std::uint32_t how, std::string_view reason, bool wait, postbus_queue_then then,
            void* context) {
    LentDelivery& lent = LentDelivery::of(delivery);
    if (!then) return lent.settle(how, reason, {});
    bool begun = false;
    owe(lent.hub(), lent.owner(), wait, then, context, [&](OwedPtr owed) {
        begun = true;
        lent.settle(how, reason, Owed::by(std::move(owed)));
    });
    // Told that it must not wait: it is settled all the same.
    if (!begun) lent.settle(how, reason, {});
}

}  // namespace postbus::messaging
