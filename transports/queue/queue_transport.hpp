#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "core/bus.hpp"
#include "queues/engine/engine.hpp"
#include "transports/queue/inbound_queue.hpp"

namespace postbus::queue {

/// Joins queues to the port: takes their messages as requests that follow SOAP over JMS 1.0, and puts the answers on
/// the queues that the requests name.
///
/// A message is acknowledged when its exchange has ended, never before; a daemon that goes down in between works on it
/// again. There is no thread before the first endpoint. apply() and stop() from one thread at a time, beside refused().
class QueueTransport {
public:
    explicit QueueTransport(core::Bus& bus) : bus_(bus) {}
    /// After stop().
    ~QueueTransport();
    QueueTransport(const QueueTransport&) = delete;
    QueueTransport& operator=(const QueueTransport&) = delete;

    /// From now on these endpoints take from queues of `engine`; null: none do. Those that stay as they are are not
    /// touched. One that can't take from its queue is told in the log, and by refused(); the next apply() tries again.
    void apply(std::shared_ptr<queues::Engine> engine, const std::vector<QueueEndpoint>& endpoints);

    struct Refused {
        std::string endpoint, source, reason;
    };
    /// The endpoints that take nothing from their queue, since the last apply(). Any thread.
    std::vector<Refused> refused() const;

    /// Takes no more, lets what was begun end, until `deadline`; what is open then is delivered again some day. How
    /// many messages those were. The engine may be stopped afterwards.
    std::size_t stop(TimePoint deadline);

private:
    void open(const std::vector<QueueEndpoint>& endpoints, std::vector<Refused>& refused);
    void closeAllBut(const std::vector<QueueEndpoint>& kept);
    bool idle();

    core::Bus& bus_;
    std::shared_ptr<queues::Engine> engine_;
    std::shared_ptr<QueueLoop> loop_;
    std::vector<std::shared_ptr<InboundQueue>> queues_;   // that take
    std::vector<std::shared_ptr<InboundQueue>> closing_;  // that have exchanges still

    mutable std::mutex refusing_;
    std::vector<Refused> refused_;
};

}  // namespace postbus::queue
