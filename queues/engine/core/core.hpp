#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "queues/engine/clocks.hpp"
#include "queues/engine/core/queue.hpp"
#include "queues/engine/status.hpp"
#include "queues/store/queue_store.hpp"

namespace postbus::queues {

using Counted = std::function<void(Result<std::uint64_t>)>;

/// What Engine and Session are doors to. One mutex guards all; the store takes batches under it, and comes back on its
/// own thread. Nothing of a user runs under the mutex: what is to be called is gathered in after_ and called by
/// Locked's end.
///
/// core_*.cpp: sending, serving (to consumers), timers, acknowledging, returning (attempts that failed), sessions,
/// topics, transactions, destinations, bulk (purge, move, retry), looking (status, browse), recovery.
class Core {
public:
    Core(std::unique_ptr<QueueStore> store, EngineSettings settings, Clocks clocks);
    ~Core();
    Result<void> recover();

    void start();
    bool step();
    Result<void> stop();
    /// Ends the thread and the store; what comes later is refused.
    void shut();
    QueueStore::State storeState() const;

    SessionId connect(std::string_view clientId);
    void disconnect(SessionId session);
    Result<ConsumerId> consume(SessionId session, std::string_view queue, const ConsumerOptions& options,
                               Handler handler);
    Result<ConsumerId> subscribe(SessionId session, std::string_view topic, const SubscriptionOptions& subscription,
                                 const ConsumerOptions& options, Handler handler,
                                 const std::optional<QueueSettings>& settings);
    Result<void> unsubscribe(SessionId session, std::string_view name, bool shared);
    void addCredit(SessionId session, ConsumerId consumer, std::uint32_t messages);
    std::uint32_t credit(SessionId session, ConsumerId consumer);
    void cancel(SessionId session, ConsumerId consumer, bool atWork);
    Result<std::string> temporaryQueue(SessionId session);

    enum class Reach { One, UpTo };
    void acknowledge(SessionId session, ConsumerId consumer, Tag tag, Reach reach, Done done);
    void acknowledgeAll(SessionId session, Done done);
    enum class Return { Release, Fail, SetAside };
    Result<void> giveBack(SessionId session, ConsumerId consumer, Tag tag, Return how, std::string_view reason);

    TransactionId begin(SessionId session);
    Result<void> enlist(SessionId session, TransactionId transaction, Outgoing outgoing);
    Result<void> enlist(SessionId session, TransactionId transaction, ConsumerId consumer, Tag tag);
    void commit(SessionId session, TransactionId transaction, Done done);
    Result<void> rollBack(SessionId session, TransactionId transaction);

    void send(std::string_view queue, Message message, Done done);
    void publish(SessionId session, std::string_view topic, Message message, Done done);

    Result<void> declareQueue(std::string_view name, const QueueSettings& settings);
    Result<void> declareTopic(std::string_view name);
    void remove(std::string_view name, Done done);
    Result<void> pause(std::string_view queue, bool in, bool out);

    std::vector<QueueStatus> status() const;
    Result<QueueStatus> status(std::string_view queue) const;
    std::vector<std::string> topics() const;
    Result<std::vector<Browsed>> browse(std::string_view queue, const BrowseQuery& query) const;

    enum class BulkKind { Purge, Move, Retry };
    void bulk(BulkKind kind, std::string_view from, std::string_view to, const Choice& choice, Counted done);

private:
    /// Holds the mutex; at its end, unlocked, calls what was gathered and wakes the thread.
    class Locked {
    public:
        explicit Locked(Core& core) : core_(core), lock_(core.mutex_) {}
        ~Locked();
        Locked(const Locked&) = delete;
        Locked& operator=(const Locked&) = delete;

    private:
        Core& core_;
        std::unique_lock<std::mutex> lock_;
    };

    struct Handout {
        ConsumerPtr consumer;
        Delivery delivery;
        BodyId body = 0;
    };
    /// Sends and acknowledgements that are one batch.
    struct Sending {
        std::vector<EntryPtr> entries;
        std::vector<std::pair<Queue*, std::string>> keys;
        std::vector<Entry*> acknowledged;
        Done done;
    };
    struct Bulk;
    struct ByTime {
        using Key = std::pair<TimePoint, Entry*>;
        bool operator()(const Key& a, const Key& b) const {
            return a.first != b.first
                       ? a.first < b.first
                       : a.second->id < b.second->id || (a.second->id == b.second->id && a.second < b.second);
        }
    };
    using Timers = std::set<std::pair<TimePoint, Entry*>, ByTime>;

    // sending
    Result<void> sendLocked(std::string_view queue, Message& message, Done& done);
    Result<void> publishLocked(SessionId session, std::string_view topic, Message& message, Done& done);
    enum class Admission { Taken, Waits, Dropped };
    Result<Admission> admit(Queue& queue, const Message& message, bool mayWait);
    bool hasRoom(const Queue& queue, std::size_t size, bool durable) const;
    bool duplicate(Queue& queue, const Message& message, Sending& sending, Batch& batch, Done& done);
    void stamp(Message& message);
    void accept(Queue& queue, Message message, Sending& sending, Batch& batch);
    void spread(const std::vector<Queue*>& queues, Message message, Sending& sending, Batch& batch);
    std::vector<Queue*> subscribersOf(Topic& topic, const Message& message, const std::string& clientId);
    EntryPtr makeEntry(Queue& queue, const std::shared_ptr<const Message>& message, MessageId id);
    void submit(Batch batch, std::shared_ptr<Sending> sending);
    void conclude(Sending& sending, const Result<void>& result);
    void arrive(EntryPtr entry);
    void unpark(Queue& queue);
    void unparkAll();

    // the life of an entry
    MessageRow rowOf(const Entry& entry) const;
    MessageChange changeOf(const Entry& entry) const;
    void makeReady(Entry& entry);
    void postpone(Entry& entry, TimePoint until);
    void withdraw(Entry& entry);  ///< from ready or scheduled
    void joinGroup(Queue& queue, Entry& entry, const std::string& name);
    void leaveGroup(Entry& entry);
    void forgetContent(Entry& entry);
    void dropRow(Batch& batch, const Entry& entry) const;
    void dropShared(BodyId body);
    EntryPtr take(Entry& entry);  ///< out of its queue
    void erase(Entry& entry);
    void transfer(Entry& entry, Queue& target);
    void commitOrRun(Batch batch, Done done);
    void touch(Queue& queue);

    // serving
    void serveDirty();
    bool serve(Queue& queue);
    Entry* pick(Queue& queue, Consumer& consumer);
    const Message* headOf(const Entry& entry);
    void want(const Queue& queue, const Consumer& consumer, int level, Entry* first);
    bool exhausted(const Entry& entry) const;
    void hand(const ConsumerPtr& consumer, Entry& entry);
    void counted(const ConsumerPtr& consumer, Entry& entry, const Result<void>& result);
    void flushLine(const ConsumerPtr& consumer);
    void handOut(const ConsumerPtr& consumer, Entry& entry, bool firstOfGroup);
    void resetCursors(Queue& queue);
    void loadHeads(const std::vector<BodyId>& bodies);
    void deliver(Handout& handout);
    void run();

    // timers
    void runTimers();
    TimePoint nextTimer() const;

    // acknowledging and returning
    Consumer* find(SessionId session, ConsumerId consumer);
    Result<Entry*> takeDelivered(SessionId session, ConsumerId consumer, Tag tag);
    void acknowledge(std::vector<Entry*> entries, Done done);
    void restore(Entry& entry);
    void failAttempt(Entry& entry, std::string_view reason, bool backOff);
    void release(Entry& entry);
    void setAside(Entry& entry, std::string_view reason);
    void expire(Entry& entry);
    void moveTo(Entry& entry, Queue& target, std::unique_ptr<DeadLetter> note);
    void discard(Entry& entry);
    milliseconds backOffOf(const Entry& entry) const;

    // sessions, transactions, destinations
    Result<ConsumerId> addConsumer(SessionId session, Queue& queue, const ConsumerOptions& options, Handler handler);
    void closeConsumer(const ConsumerPtr& consumer, bool atWork = true);
    void rollBack(Transaction& transaction);
    Result<void> prepare(Transaction& transaction, Sending& sending, Batch& batch);
    static Result<void> checkSettings(const QueueSettings& settings);
    void set(Queue& queue, const QueueSettings& settings);
    Result<Queue*> subscriptionFor(SessionId session, std::string_view topic, const SubscriptionOptions& subscription);
    Queue* find(std::string_view queue) const;
    Result<Queue*> findOrCreate(std::string_view queue);
    Result<Topic*> findOrCreateTopic(std::string_view topic);
    Queue& addQueue(std::string_view name, QueueRecord record, QueueId id = 0);
    Queue& deadLettersOf(const Queue& queue);
    void store(Queue& queue);
    void storeRecord(QueueId id, std::string name, const QueueRecord& record);
    void retire(Queue& queue);
    void sweepRetired();
    void refuseParked();
    Result<void> usable() const;

    // bulk, looking, recovery
    void continueBulk(const std::shared_ptr<Bulk>& bulk);
    bool bulkTakes(const Bulk& bulk, Entry& entry);
    Result<Queue*> bulkTarget(const Bulk& bulk, const Entry& entry);
    void concludeBulk(const std::shared_ptr<Bulk>& bulk, const std::vector<std::pair<Entry*, Queue*>>& entries,
                      const Result<void>& result);
    QueueStatus statusOf(const Queue& queue) const;
    void recoverQueue(const QueueRow& row);
    void recoverMessage(MessageRow row);

    TimePoint now() const { return clocks_.steady(); }

    const EngineSettings settings_;
    const Clocks clocks_;
    mutable std::mutex mutex_;
    std::shared_ptr<QueueStore> store_;
    std::condition_variable waker_;
    std::thread thread_;
    bool stopping_ = false, asleep_ = false, wake_ = false, suspicious_ = false;
    std::vector<std::function<void()>> after_;

    std::string nonce_;  ///< of message ids
    std::uint64_t nextId_ = 1;
    MessageId nextMessage_ = 1;
    QueueId nextQueue_ = 1;
    std::uint64_t memory_ = 0, pendingBytes_ = 0, fleeting_ = 0;  ///< held, waiting for the disk, not stored at all
    std::size_t parked_ = 0;
    bool unparking_ = false;
    std::map<std::string, QueuePtr, std::less<>> queues_;
    std::map<std::string, Topic, std::less<>> topics_;
    std::map<QueueId, Queue*> byId_;
    std::vector<QueuePtr> retired_;
    std::unordered_map<BodyId, std::uint32_t> shared_;
    std::unordered_map<ConsumerId, ConsumerPtr> consumers_;
    std::unordered_map<SessionId, SessionState> sessions_;
    std::unordered_map<TransactionId, Transaction> transactions_;
    Timers due_, expiring_;
    std::vector<Queue*> dirty_;
    std::vector<Handout> handouts_;
    std::vector<BodyId> wanted_;
    std::unordered_map<BodyId, std::shared_ptr<const Message>> heads_;  ///< for selectors; of the delivering thread
    std::size_t examined_ = 0;
};

}  // namespace postbus::queues
