#pragma once

#include <postbus/abi_queues.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "plugins/messaging/forward.hpp"
#include "plugins/messaging/lent_delivery.hpp"
#include "plugins/messaging/owner.hpp"
#include "queues/engine/session.hpp"

namespace postbus::messaging {

/// What came of something that a plugin wanted of the queues.
struct Ended {
    std::uint32_t kind = POSTBUS_QUEUE_DONE;  ///< of postbus_queue_result
    std::string reason{};
    LentDelivery* delivery = nullptr;

    static Ended of(const Result<void>& result);
    static Ended of(const Error& error);
    static Ended leaving() { return {POSTBUS_QUEUE_CLOSED, "the service leaves: it takes no more messages"}; }
};

/// Says it to a function of the plugin's; what that throws, against the rules, ends here.
void tell(const Owner& owner, postbus_queue_then then, void* context, const Ended& ended);

/// An outcome that somebody waits for: told exactly once, at the latest when nobody is left who could. Any thread.
class Owed {
public:
    using Teller = std::function<void(Ended)>;
    explicit Owed(Teller teller) : teller_(std::move(teller)) {}
    Owed(const Owed&) = delete;
    Owed& operator=(const Owed&) = delete;
    ~Owed();

    void tell(Ended ended);
    /// For the engine: tells what it says.
    static queues::Done by(std::shared_ptr<Owed> owed);

private:
    const Teller teller_;
    std::atomic<bool> told_{false};
};
using OwedPtr = std::shared_ptr<Owed>;

/// Has `begin` begin something whose outcome is owed to a plugin, and sees to it that it is told: if `wait`, on this
/// thread, which waits for it, or is told at once that it must not; else on the hub's loop, until when the plugin's
/// code is needed.
void owe(Hub& hub, Owner& owner, bool wait, postbus_queue_then then, void* context,
         const std::function<void(OwedPtr)>& begin);

/// Settles a delivery, as postbus_queues.settle does; `then` may be null.
void settle(postbus_delivery* delivery, std::uint32_t how, std::string_view reason, bool wait, postbus_queue_then then,
            void* context);

}  // namespace postbus::messaging
