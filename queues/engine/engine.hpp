#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "queues/engine/clocks.hpp"
#include "queues/engine/message.hpp"
#include "queues/engine/session.hpp"
#include "queues/engine/settings.hpp"
#include "queues/engine/status.hpp"
#include "queues/store/queue_store.hpp"

namespace postbus::queues {

using Counted = std::function<void(Result<std::uint64_t>)>;

/// Queues and topics over one store.
///
/// Promises. A send is confirmed when it is durable, and only what is durable is delivered; a message whose
/// acknowledgement was confirmed never comes back. What was sent and not confirmed, or acknowledged and not confirmed,
/// when the daemon went down may be there or not. Messages of one sender, queue and priority keep their order until one
/// fails. From the second attempt on the count is stored before the delivery; after a crash it is stored from the first
/// one on for what was there, so that a message that brings the daemon down reaches the dead letter queue.
///
/// Threads. Everything here may be called from any thread, and no call waits for the disk unless it says so. Handlers
/// run on the engine's thread, one at a time, without a lock. A `Done` runs on the store's thread, or within the call
/// when there is nothing to store; it must not block and may call back. Of several confirmations to one sender the
/// order is that of the sends.
///
/// Errors. NotFound: no such queue. TooLarge, Unavailable: refused by a limit, a pause, or a full disk; try later.
/// Internal: the store failed (see QueueStore); nothing durable is delivered or taken any more. Then: destroy the
/// engine, open the store and an engine anew.
class Engine {
public:
    /// Reads what the store holds; waits for the disk.
    static Result<std::unique_ptr<Engine>> open(std::unique_ptr<QueueStore> store, EngineSettings settings = {},
                                                Clocks clocks = {});
    /// As after stop(), but the store keeps the mark of a crash unless stop() was called.
    ~Engine();

    /// Starts the thread that delivers. Without it step() does the work: for tests.
    void start();
    /// Delivers what is due; true when there was anything. Not together with start().
    bool step();
    /// Ends deliveries, stores what is known of attempts, closes the store. Waits for the disk.
    Result<void> stop();
    QueueStore::State storeState() const;

    std::unique_ptr<Session> connect(std::string_view clientId = {});

    void send(std::string_view queue, Message message, Done done);
    /// One copy for each subscription whose selector matches.
    void publish(std::string_view topic, Message message, Done done);

    /// Makes a queue, or gives it these settings. Names are 1-255 bytes of UTF-8 without controls; DLQ. is for dead
    /// letters.
    Result<void> declareQueue(std::string_view name, const QueueSettings& settings);
    Result<void> declareTopic(std::string_view name);
    /// A queue with all its messages, or a topic without subscriptions; an Error while there are consumers.
    void remove(std::string_view name, Done done);

    std::vector<QueueStatus> status() const;
    Result<QueueStatus> status(std::string_view queue) const;
    std::vector<std::string> topics() const;
    /// A snapshot, by age, without what is under delivery; changes and counts nothing. Waits for the disk.
    Result<std::vector<Browsed>> browse(std::string_view queue, const BrowseQuery& query) const;

    /// How many were taken; in batches, each of them durable before the next.
    void purge(std::string_view queue, const Choice& choice, Counted done);
    void move(std::string_view from, std::string_view to, const Choice& choice, Counted done);
    /// From a dead letter queue back to where each came from, as if never delivered.
    void retry(std::string_view deadLetters, const Choice& choice, Counted done);
    /// In: sends are refused. Out: nothing is delivered. Kept over a restart.
    Result<void> pause(std::string_view queue, bool in, bool out);
    Result<void> resume(std::string_view queue);

private:
    explicit Engine(std::shared_ptr<Core> core) : core_(std::move(core)) {}
    std::shared_ptr<Core> core_;
};

}  // namespace postbus::queues
