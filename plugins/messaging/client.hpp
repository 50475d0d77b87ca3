#pragma once

#include <postbus/abi_queues.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/messaging/hub.hpp"
#include "plugins/messaging/owner.hpp"
#include "plugins/messaging/receive.hpp"
#include "plugins/messaging/subscription.hpp"

namespace postbus::messaging {

/// One service's use of the queues: what postbus_queues does, for it. Any thread; serve(), leave() and giveUp() are for
/// the deployer's and the daemon's, and wait for nothing.
///
/// Subscriptions take from serve() until leave(). Sending goes on: calls that have begun come to their end.
class Client {
public:
    Client(Hub& hub, Owner& owner);
    /// When nothing of the service runs any more.
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void send(const postbus_destination* to, const postbus_message* message, bool wait, postbus_queue_then then,
              void* context);
    void receive(const postbus_call* caller, const postbus_destination* from, const postbus_consumer* how,
                 std::int64_t nanoseconds, bool wait, postbus_queue_then then, void* context);
    /// An Error says why not. The subscription lives as long as this.
    Result<Subscription*> subscribe(const postbus_destination* from, const postbus_consumer* how, Taker taker);

    void serve();
    /// No message is handed to the service any more, but to calls that wait for one.
    void leave();
    /// What is still with it goes back.
    void giveUp();

    /// Messages that subscriptions have handed to it.
    std::size_t atWork() const;
    /// Whether it has no message, and waits for none.
    bool idle() const;

private:
    std::vector<std::shared_ptr<Subscription>> subscriptions() const;

    Hub& hub_;
    Owner& owner_;
    const std::shared_ptr<ReceiveRoll> receives_ = std::make_shared<ReceiveRoll>();
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Subscription>> subscriptions_;
    bool serving_ = false, leaving_ = false;
};

}  // namespace postbus::messaging
