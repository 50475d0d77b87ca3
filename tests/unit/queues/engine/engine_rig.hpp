#pragma once

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <deque>

#include "queues/engine/engine.hpp"
#include "queues/store/memory_store.hpp"

namespace postbus::queues::test {

/// Lends a store to an engine and stays, so that the next engine finds what is in it. Refuses what it is told to.
class LentStore : public QueueStore {
public:
    void commit(Batch batch, Done done) override {
        ++commits;
        if (state_ == State::Failed || (state_ == State::Full && batch.takesRoom())) {
            const Error::Kind kind = state_ == State::Failed ? Error::Kind::Internal : Error::Kind::Unavailable;
            // After what was committed before.
            memory_.commit({}, [kind, done = std::move(done)](const Result<void>&) { done(Error(kind, "refused")); });
            return;
        }
        memory_.commit(std::move(batch), std::move(done));
    }
    Result<Content> read(BodyId id) override { return ++reads, memory_.read(id); }
    Result<std::string> readHead(BodyId id) override { return memory_.readHead(id); }
    Result<void> scan(const Visitor& visitor) override { return memory_.scan(visitor); }
    bool wasClosed() const override { return memory_.wasClosed(); }
    State state() const override { return state_; }
    Result<void> close() override { return memory_.close(); }

    MemoryStore& memory() { return memory_; }
    void set(State state) { state_ = state; }
    int commits = 0, reads = 0;

private:
    MemoryStore memory_;
    std::atomic<State> state_{State::Open};
};

class Forward : public QueueStore {
public:
    explicit Forward(QueueStore& to) : to_(to) {}
    void commit(Batch batch, Done done) override { to_.commit(std::move(batch), std::move(done)); }
    Result<Content> read(BodyId id) override { return to_.read(id); }
    Result<std::string> readHead(BodyId id) override { return to_.readHead(id); }
    Result<void> scan(const Visitor& visitor) override { return to_.scan(visitor); }
    bool wasClosed() const override { return to_.wasClosed(); }
    State state() const override { return to_.state(); }
    Result<void> close() override { return to_.close(); }

private:
    QueueStore& to_;
};

/// What came to one consumer, and its answers.
struct Inbox {
    std::deque<Delivery> deliveries;
    ConsumerId id = 0;

    Handler handler() {
        return [this](Delivery delivery) { deliveries.push_back(std::move(delivery)); };
    }
    std::string bodies() const {
        std::string all;
        for (const Delivery& each : deliveries) (all += all.empty() ? "" : " ") += each.message->body;
        return all;
    }
    Delivery take() {
        BOOST_REQUIRE(!deliveries.empty());
        Delivery first = std::move(deliveries.front());
        deliveries.pop_front();
        return first;
    }
};

/// An engine on a store in memory, with clocks that stand still unless pass() moves them. Nothing happens but in
/// settle().
class EngineRig {
public:
    explicit EngineRig(EngineSettings settings = {}) : settings_(std::move(settings)) { open(); }
    ~EngineRig() { session_.reset(); }

    Engine& engine() { return *engine_; }
    Session& session() { return *session_; }
    LentStore& store() { return store_; }

    void settle() {
        for (bool more = true; more;) {
            more = engine_->step();
            more = store_.memory().deliver() || more;
        }
    }
    void pass(milliseconds time) {
        steady_ += time;
        wall_ += time.count();
        settle();
    }
    void jumpWallClock(milliseconds by) { wall_ += by.count(); }
    std::int64_t wall() const { return wall_; }

    /// kill -9: what was not confirmed is gone.
    void crash() {
        store_.memory().reopen();
        down();
        open();
    }
    void restart() {
        BOOST_REQUIRE(engine_->stop());
        down();
        store_.memory().reopen();
        open();
    }

    Done note(std::optional<Result<void>>& into) {
        return [&into](Result<void> result) { into.emplace(std::move(result)); };
    }
    /// Sends, settles, and expects success.
    void send(std::string_view queue, Message message) {
        std::optional<Result<void>> result;
        engine_->send(queue, std::move(message), note(result));
        settle();
        BOOST_REQUIRE(result);
        BOOST_REQUIRE_MESSAGE(*result, (*result ? "" : result->error().message()));
    }
    void send(std::string_view queue, std::string body) {
        Message message;
        message.body = std::move(body);
        send(queue, std::move(message));
    }
    Error refused(std::string_view queue, Message message) {
        std::optional<Result<void>> result;
        engine_->send(queue, std::move(message), note(result));
        settle();
        BOOST_REQUIRE(result);
        BOOST_REQUIRE(!*result);
        return result->error();
    }
    void consume(std::string_view queue, Inbox& inbox, const ConsumerOptions& options = {}) {
        auto consumer = session_->consume(queue, options, inbox.handler());
        BOOST_REQUIRE_MESSAGE(consumer, (consumer ? "" : consumer.error().message()));
        inbox.id = *consumer;
        settle();
    }
    void acknowledge(Inbox& inbox, const Delivery& delivery) {
        std::optional<Result<void>> result;
        session_->acknowledge(inbox.id, delivery.tag, note(result));
        settle();
        BOOST_REQUIRE(result);
        BOOST_REQUIRE(*result);
    }
    QueueStatus status(std::string_view queue) {
        auto status = engine_->status(queue);
        BOOST_REQUIRE_MESSAGE(status, (status ? "" : status.error().message()));
        return *status;
    }
    std::uint64_t counted(const std::function<void(Counted)>& call) {
        std::optional<Result<std::uint64_t>> result;
        call([&result](Result<std::uint64_t> count) { result.emplace(std::move(count)); });
        settle();
        BOOST_REQUIRE(result);
        BOOST_REQUIRE_MESSAGE(*result, (*result ? "" : result->error().message()));
        return **result;
    }
    void use(std::string_view clientId) { session_ = engine_->connect(clientId); }
    void endSession() { session_.reset(); }

private:
    void open() {
        Clocks clocks;
        clocks.steady = [this] { return steady_; };
        clocks.wall = [this] { return wall_; };
        auto opened = Engine::open(std::make_unique<Forward>(store_), settings_, clocks);
        BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : opened.error().message()));
        engine_ = std::move(*opened);
        session_ = engine_->connect("client");
        settle();
    }
    void down() {
        engine_.reset();
        session_.reset();
    }

    EngineSettings settings_;
    LentStore store_;
    TimePoint steady_ = TimePoint(std::chrono::hours(1000));
    std::int64_t wall_ = 1'800'000'000'000;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Session> session_;
};

inline Message message(std::string body) {
    Message made;
    made.body = std::move(body);
    return made;
}

}  // namespace postbus::queues::test
