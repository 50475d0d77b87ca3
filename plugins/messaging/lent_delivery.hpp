#pragma once

#include <postbus/abi_queues.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "plugins/messaging/forward.hpp"
#include "plugins/messaging/owner.hpp"
#include "queues/engine/message.hpp"
#include "queues/engine/session.hpp"

namespace postbus::messaging {

using Session = std::shared_ptr<queues::Session>;

/// Where a delivery came to: it is told when that is over.
class Recipient {
public:
    /// Settled, and nobody of the bus is inside of the function that it was handed to. It is gone when this returns.
    virtual void over(LentDelivery& delivery) = 0;

protected:
    ~Recipient() = default;
};

/// What a plugin sees of a delivery. A base of its own, so that the way from a postbus_delivery back to its owner is a
/// cast the language defines.
struct LentForm {
    postbus_delivery delivery_{};
};

/// A message that a plugin works on: lent to it until it settles it, and no longer than the bus itself has to do with
/// it. Deletes itself when both have let go.
class LentDelivery final : private LentForm {
public:
    /// `holds`: how many let go of it, the plugin's settling included.
    LentDelivery(Hub& hub, Owner& owner, Session session, queues::Delivery delivery,
                 std::shared_ptr<Recipient> recipient, int holds);
    static LentDelivery& of(postbus_delivery* lent) {
        // A standard-layout struct and its first member have one address.
        return static_cast<LentDelivery&>(*reinterpret_cast<LentForm*>(lent));
    }

    postbus_delivery* c() { return &delivery_; }
    Hub& hub() const { return hub_; }
    Owner& owner() const { return owner_; }
    const Session& session() const { return session_; }
    queues::ConsumerId consumer() const { return its_.consumer; }
    const queues::Delivery& delivery() const { return its_; }
    bool settled() const { return settled_.load(std::memory_order_acquire); }

    /// To settle it, once; `done` may be empty. A problem that nobody is told of is logged.
    void settle(std::uint32_t how, std::string_view reason, queues::Done done);
    /// One of those who hold it lets go.
    void drop();
    /// For giving up: the plugin's settling finds nothing any more, the message goes back as a failed attempt.
    void withdraw() const { session_->cancel(its_.consumer); }

private:
    ~LentDelivery() = default;
    void lendMessage();

    Hub& hub_;
    Owner& owner_;
    const Session session_;
    const queues::Delivery its_;
    const std::shared_ptr<Recipient> recipient_;
    std::atomic<int> holds_;
    std::atomic<bool> settled_{false};
    postbus_message message_{};
    std::vector<postbus_property> properties_;
};

}  // namespace postbus::messaging
