#pragma once

#include <boost/test/unit_test.hpp>

#include <future>

#include "queues/store/memory_store.hpp"
#include "queues/store/sqlite_store.hpp"
#include "tests/support/scratch_folder.hpp"

namespace postbus::queues::test {

/// All that a store holds.
struct Holdings {
    std::vector<QueueRow> queues;
    std::vector<SeenRow> seen;
    std::vector<MessageRow> messages;
};

inline Holdings holdings(QueueStore& store) {
    Holdings all;
    const auto scanned = store.scan({[&](QueueRow row) { all.queues.push_back(std::move(row)); },
                                     [&](SeenRow row) { all.seen.push_back(std::move(row)); },
                                     [&](MessageRow row) { all.messages.push_back(std::move(row)); }});
    BOOST_REQUIRE_MESSAGE(scanned, (scanned ? "" : scanned.error().message()));
    return all;
}

inline NewBody body(BodyId id, std::string bytes, std::string head = "head") {
    return {id, std::move(head), std::make_shared<const std::string>(std::move(bytes))};
}

inline MessageRow message(MessageId id, QueueId queue = 1) {
    MessageRow row;
    row.id = row.body = id;
    row.queue = queue;
    row.sent = 1000 + id;
    return row;
}

/// One message with its body.
inline Batch enqueue(MessageId id, std::string bytes = "bytes") {
    Batch batch;
    batch.putBodies.push_back(body(id, std::move(bytes)));
    batch.putMessages.push_back(message(id));
    return batch;
}

inline Batch acknowledge(MessageId id) {
    Batch batch;
    batch.dropMessages.push_back(id);
    batch.dropBodies.push_back(id);
    return batch;
}

class SqliteRig {
public:
    SqliteRig() { open(); }
    QueueStore& store() { return *store_; }
    Result<void> commit(Batch batch) {
        std::promise<Result<void>> promise;
        auto future = promise.get_future();
        store_->commit(std::move(batch), [&promise](Result<void> result) { promise.set_value(std::move(result)); });
        return future.get();
    }
    void must(Batch batch) {
        const auto committed = commit(std::move(batch));
        BOOST_REQUIRE(committed);
    }
    /// As after a crash of the process: without close().
    void reopen() {
        store_.reset();
        open();
    }

private:
    void open() {
        auto opened = SqliteStore::open({.folder = folder_ / "queues", .logPages = 100, .reserve = 1_MiB});
        BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : opened.error().message()));
        store_ = std::move(*opened);
    }
    postbus::test::ScratchFolder folder_;
    std::unique_ptr<SqliteStore> store_;
};

class MemoryRig {
public:
    QueueStore& store() { return store_; }
    Result<void> commit(Batch batch) {
        std::optional<Result<void>> answer;
        store_.commit(std::move(batch), [&answer](Result<void> result) { answer.emplace(std::move(result)); });
        store_.deliver();
        return *answer;
    }
    void must(Batch batch) {
        const auto committed = commit(std::move(batch));
        BOOST_REQUIRE(committed);
    }
    void reopen() { store_.reopen(); }

private:
    MemoryStore store_;
};

}  // namespace postbus::queues::test
