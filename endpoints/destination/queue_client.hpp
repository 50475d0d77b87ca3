#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "queues/engine/engine.hpp"

namespace postbus::destination {

/// Waits for the answer to a message.
class Awaiting {
public:
    virtual ~Awaiting() = default;
    /// Once at most, on any thread; not after QueueClient::leave() has given true. It must not wait.
    virtual void onReply(std::shared_ptr<const queues::Message> answer) = 0;
    /// Instead: there will be none, for the queue that it would come to is gone.
    virtual void onReplyLost() = 0;
};

/// The daemon's side of conversations over queues: the engine of the moment, and the temporary queue that answers come
/// to, found again by their correlation id. The queue comes with the first request, and anew with each engine.
///
/// Thread-safe. Waits for nothing. Holds no engine, so that one that has failed can be closed.
class QueueClient {
public:
    /// `engine` gives the one that is open now, or null, and waits for nothing; from any thread.
    explicit QueueClient(std::function<std::shared_ptr<queues::Engine>()> engine);
    ~QueueClient();
    QueueClient(const QueueClient&) = delete;
    QueueClient& operator=(const QueueClient&) = delete;

    std::shared_ptr<queues::Engine> engine() const { return engine_(); }

    struct Ticket {
        std::string replyTo, correlationId;
    };
    /// From now on `who` is told of the answer to a message that has these.
    Result<Ticket> await(const std::shared_ptr<queues::Engine>& engine, std::shared_ptr<Awaiting> who);
    /// Waits no more. False: it has been told, or is being told.
    bool leave(std::string_view correlationId);

private:
    struct Waiting;
    const std::function<std::shared_ptr<queues::Engine>()> engine_;
    const std::shared_ptr<Waiting> waiting_;
    std::mutex mutex_;  // for what follows; before that of waiting_
    std::weak_ptr<queues::Engine> of_;
    std::unique_ptr<queues::Session> session_;
    std::string queue_;
    std::uint64_t next_ = 0;
};

}  // namespace postbus::destination
