#pragma once

#include <postbus/abi_queues.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/timer_wheel.hpp"
#include "core/exchange/exchange.hpp"
#include "plugins/messaging/forward.hpp"
#include "plugins/messaging/lent_delivery.hpp"
#include "plugins/messaging/owed.hpp"

namespace postbus::messaging {

/// The receives of one client that wait, or whose message is still with the plugin. Thread-safe.
class ReceiveRoll {
public:
    void add(std::shared_ptr<Receive> receive);
    void remove(const Receive& receive);
    std::vector<std::shared_ptr<Receive>> all() const;
    bool empty() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Receive>> receives_;
};

/// A plugin's wait for one message of a queue: a consumer of its own, until the message is settled or the time over.
///
/// Thread-safe. Kept by its roll. The timer is the hub's loop's.
class Receive final : public Recipient, public Timer, public std::enable_shared_from_this<Receive> {
public:
    struct Wanted {
        std::string queue, selector;
        TimePoint until;
        const postbus_call* caller;  ///< that it is done for, not ended before the outcome is told; or null
    };
    Receive(Hub& hub, Owner& owner, std::shared_ptr<ReceiveRoll> roll, Wanted wanted, OwedPtr owed)
        : hub_(hub), owner_(owner), roll_(std::move(roll)), wanted_(std::move(wanted)), owed_(std::move(owed)) {}

    /// Once, after it has joined the roll.
    void begin();
    /// Tells this outcome, unless there is one already.
    void end(Ended ended);
    /// Gives back the message that the plugin still works on; whether there is one.
    bool giveUp();
    /// Whether it is done for a call: then it ends with that, not with the service.
    bool bound() const { return wanted_.caller != nullptr; }

private:
    // Of standard layout, so that the way from its first member to it is one the language knows.
    struct Watch {
        postbus_watch watch{};
        Receive* receive = nullptr;
    };
    static void cancelled(postbus_watch* watch);
    void consume(const Session& session);
    void take(queues::Delivery delivery);
    void onTimer() override;
    void over(LentDelivery& delivery) override;
    void tidy();

    Hub& hub_;
    Owner& owner_;
    const std::shared_ptr<ReceiveRoll> roll_;
    const Wanted wanted_;
    Watch watch_;

    std::mutex mutex_;
    OwedPtr owed_;  // null: told
    Session session_;
    queues::ConsumerId consumer_ = 0;
    LentDelivery* current_ = nullptr;
};

}  // namespace postbus::messaging
