#include "queues/store/sqlite_store.hpp"

#include <mutex>

#include "queues/store/sqlite/checkpointer.hpp"
#include "queues/store/sqlite/database.hpp"
#include "queues/store/sqlite/folder_lock.hpp"
#include "queues/store/sqlite/health.hpp"
#include "queues/store/sqlite/reserve.hpp"
#include "queues/store/sqlite/schema.hpp"
#include "queues/store/sqlite/writer.hpp"

namespace postbus::queues {

using sqlite::Database;
using sqlite::Outcome;
using sqlite::Statement;

namespace {

/// Reads, on a connection of its own: the log lets it see the last commit without waiting for a writer.
class Reader {
public:
    explicit Reader(std::unique_ptr<Database> database)
        : database_(std::move(database)),
          content_(*database_, "SELECT head, bytes FROM body WHERE id=?1"),
          head_(*database_, "SELECT head FROM body WHERE id=?1") {}

    Result<Content> read(BodyId id, bool whole) {
        std::lock_guard lock(mutex_);
        Statement& statement = whole ? content_ : head_;
        statement.bind(1, id);
        if (!statement.next()) {
            const std::string why = statement.outcome() == Outcome::Done ? "" : ": " + database_->message();
            return Error::internal("the queue store has no body " + std::to_string(id) + why);
        }
        Content content{statement.text(0), whole ? statement.text(1) : std::string()};
        statement.reset();
        return content;
    }

    Result<void> scan(const QueueStore::Visitor& visitor) {
        std::lock_guard lock(mutex_);
        Statement queues(*database_, "SELECT id, name, settings FROM queue ORDER BY id");
        while (queues.next()) visitor.queue({queues.number(0), queues.text(1), queues.text(2)});
        Statement seen(*database_, "SELECT queue, key, at FROM seen ORDER BY at");
        while (seen.next()) visitor.seen({seen.number(0), seen.text(1), seen.number(2)});
        Statement rows(*database_,
                       "SELECT id, queue, body, sent, expires, due, deliveries, size, priority, grp, note "
                       "FROM message ORDER BY id");
        while (rows.next()) visitor.message(row(rows));
        for (const Statement* each : {&queues, &seen, &rows})
            if (each->outcome() != Outcome::Done)
                return Error::internal("can't read the queue store: " + database_->message());
        return ok();
    }

private:
    static MessageRow row(const Statement& from) {
        MessageRow row;
        row.id = from.number(0);
        row.queue = from.number(1);
        row.body = from.number(2);
        row.sent = from.number(3);
        row.expires = from.number(4);
        row.due = from.number(5);
        row.deliveries = static_cast<std::uint32_t>(from.number(6));
        row.size = static_cast<std::uint32_t>(from.number(7));
        row.priority = static_cast<std::uint8_t>(from.number(8));
        row.group = from.text(9);
        row.note = from.text(10);
        return row;
    }

    std::mutex mutex_;
    std::unique_ptr<Database> database_;
    Statement content_, head_;
};

/// Before threads start: everything that the last user left in the log goes into the database and is flushed, so that
/// nothing hangs on pages of the log that a failed flush may have lost.
Result<bool> recover(Database& database) {
    int code = sqlite3_wal_checkpoint_v2(database.handle(), nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
    if (database.judge(code) == Outcome::Broken)
        return Error::internal("can't recover the queue store: " + database.message());
    const bool closed = database.pragma("SELECT value FROM mark WHERE name='closed'") == 1;
    for (const char* each : {"UPDATE mark SET value=0 WHERE name='closed' AND value<>0",
                             "DELETE FROM body WHERE id<0 AND id NOT IN (SELECT body FROM message WHERE body<0)"})
        if (database.execute(each) == Outcome::Broken)
            return Error::internal("can't recover the queue store: " + database.message());
    return closed;
}

}  // namespace

/// Ends from the last to the first: threads before what they use.
struct SqliteStore::Parts {
    Parts(const Settings& settings, sqlite::FolderLock held)
        : lock(std::move(held)),
          health(settings.folder, settings.onFailed),
          reserve(settings.folder + "/reserve", settings.reserve.bytes) {}

    sqlite::FolderLock lock;
    sqlite::Health health;
    sqlite::Reserve reserve;
    bool wasClosed = true;
    std::unique_ptr<Database> database;
    std::unique_ptr<Reader> reader;
    std::unique_ptr<sqlite::Checkpointer> checkpointer;
    std::unique_ptr<sqlite::Writer> writer;
};

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const Settings& settings) {
    auto lock = sqlite::FolderLock::take(settings.folder);
    if (!lock) return std::move(lock).error();
    auto parts = std::make_unique<Parts>(settings, std::move(*lock));
    const std::string file = settings.folder + "/queues.db";

    std::unique_ptr<Database> connections[3];
    for (auto& each : connections) {
        auto opened = Database::open(file);
        if (!opened) return std::move(opened).error();
        if (&each == connections) {
            if (auto made = sqlite::prepareSchema(**opened); !made) return std::move(made).error().in(file);
            auto closed = recover(**opened);
            if (!closed) return std::move(closed).error().in(file);
            parts->wasClosed = *closed;
        }
        each = std::move(*opened);
    }
    parts->database = std::move(connections[0]);
    parts->reader = std::make_unique<Reader>(std::move(connections[1]));
    Parts* const all = parts.get();
    if (!all->reserve.acquire()) all->health.full("no room for the reserve");
    // Each of the two calls the other; the writer starts last and ends first.
    parts->checkpointer = std::make_unique<sqlite::Checkpointer>(std::move(connections[2]), parts->health,
                                                                 static_cast<int>(settings.logPages),
                                                                 [all] { all->writer->finishCheckpoint(); });
    parts->writer = std::make_unique<sqlite::Writer>(*parts->database, parts->health, parts->reserve,
                                                     static_cast<int>(settings.logPages),
                                                     [all](int pages) { all->checkpointer->grown(pages); });
    return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(parts)));
}

SqliteStore::SqliteStore(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

SqliteStore::~SqliteStore() {
    parts_->writer->stop();
    parts_->checkpointer->stop();
}

void SqliteStore::commit(Batch batch, Done done) { parts_->writer->push(std::move(batch), std::move(done)); }

Result<Content> SqliteStore::read(BodyId id) {
    if (auto failure = parts_->health.failure()) return *std::move(failure);
    return parts_->reader->read(id, true);
}

Result<std::string> SqliteStore::readHead(BodyId id) {
    if (auto failure = parts_->health.failure()) return *std::move(failure);
    auto content = parts_->reader->read(id, false);
    if (!content) return std::move(content).error();
    return std::move(content->head);
}

Result<void> SqliteStore::scan(const Visitor& visitor) {
    if (auto failure = parts_->health.failure()) return *std::move(failure);
    return parts_->reader->scan(visitor);
}

bool SqliteStore::wasClosed() const { return parts_->wasClosed; }

QueueStore::State SqliteStore::state() const { return parts_->health.state(); }

Result<void> SqliteStore::close() {
    parts_->writer->stop();
    parts_->checkpointer->stop();
    if (auto failure = parts_->health.failure()) return *std::move(failure);
    Database& database = *parts_->database;
    if (database.execute("UPDATE mark SET value=1 WHERE name='closed'") != Outcome::Done)
        return Error::internal("can't close the queue store: " + database.message());
    // A start reads the log back anyway; this only makes it short.
    sqlite3_wal_checkpoint_v2(database.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    return ok();
}

}  // namespace postbus::queues
