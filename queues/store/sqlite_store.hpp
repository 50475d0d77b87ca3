#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/units.hpp"
#include "queues/store/queue_store.hpp"

namespace postbus::queues {

/// The durable store: one SQLite database with a write-ahead log in a folder of its own.
///
/// One thread writes, and turns what many senders commit at once into one transaction with one flush; a second one
/// copies the log back. read() and readHead() use a connection of their own and never wait for a writer. The folder
/// belongs to one process at a time.
class SqliteStore : public QueueStore {
public:
    struct Settings {
        std::string folder;  ///< made when it is missing; its parent must be there
        /// Of 4 KiB; when they are copied back into the database. The log never has more than about twice as many.
        std::uint32_t logPages = 4'000;
        /// Room on the disk that is given up when the rest is full, so that acknowledgements can be stored still: what
        /// the log may grow to, and a transaction. 0: none.
        ByteSize reserve = 40_MiB;
        /// Told of the first write or flush that failed, once, on a thread of the store's that waits for it.
        std::function<void()> onFailed{};
    };

    /// Opens or makes it, and recovers what the last user left. An Error names the folder and the reason.
    static Result<std::unique_ptr<SqliteStore>> open(const Settings& settings);
    ~SqliteStore() override;

    void commit(Batch batch, Done done) override;
    Result<Content> read(BodyId id) override;
    Result<std::string> readHead(BodyId id) override;
    Result<void> scan(const Visitor& visitor) override;
    bool wasClosed() const override;
    State state() const override;
    Result<void> close() override;

private:
    struct Parts;
    explicit SqliteStore(std::unique_ptr<Parts> parts);

    std::unique_ptr<Parts> parts_;
};

}  // namespace postbus::queues
