#include "queues/store/sqlite/schema.hpp"

namespace postbus::queues::sqlite {
namespace {

constexpr std::int64_t kApplication = 0x50427573;  // "PBus"

// message is what a start reads whole; its bodies lie apart, heads before the bytes: to read a head leaves the pages of
// a large body alone. message_shared finds bodies that a crash left without a message.
constexpr const char* kTables = R"sql(
BEGIN IMMEDIATE;
CREATE TABLE mark(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO mark VALUES('closed', 1);
CREATE TABLE queue(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, settings BLOB NOT NULL);
CREATE TABLE message(id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, body INTEGER NOT NULL, sent INTEGER NOT NULL,
                     expires INTEGER NOT NULL, due INTEGER NOT NULL, deliveries INTEGER NOT NULL,
                     size INTEGER NOT NULL, priority INTEGER NOT NULL, grp BLOB, note BLOB);
CREATE INDEX message_shared ON message(body) WHERE body < 0;
CREATE TABLE body(id INTEGER PRIMARY KEY, head BLOB NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE seen(queue INTEGER NOT NULL, key BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(queue, key)) WITHOUT ROWID;
PRAGMA application_id=1346532723;
PRAGMA user_version=1;
COMMIT;
)sql";
static_assert(kApplication == 1346532723);
static_assert(kSchemaVersion == 1);

}  // namespace

Result<void> prepareSchema(Database& database) {
    const std::int64_t tables = database.pragma("SELECT count(*) FROM sqlite_schema");
    if (tables == 0) {
        if (database.execute(kTables) != Outcome::Done)
            return Error::internal("can't make the tables of the queue store: " + database.message());
        return ok();
    }
    if (database.pragma("PRAGMA application_id") != kApplication)
        return Error::internal("this file is a database, but no queue store");
    const std::int64_t version = database.pragma("PRAGMA user_version");
    if (version > kSchemaVersion)
        return Error::internal("the queue store has version " + std::to_string(version) + ", this program knows " +
                               std::to_string(kSchemaVersion) + " and older: run the newer program");
    return ok();
}

}  // namespace postbus::queues::sqlite
