#include "queues/store/sqlite/database.hpp"

#include <cerrno>

namespace postbus::queues::sqlite {

Statement::Statement(Database& database, const char* sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    outcome_ =
        database.judge(sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    statement_.reset(statement);
}

Statement& Statement::bind(int at, std::int64_t number) {
    sqlite3_bind_int64(statement_.get(), at, number);
    return *this;
}

Statement& Statement::bind(int at, std::string_view text) {
    // An empty blob with a null address would be NULL.
    sqlite3_bind_blob64(statement_.get(), at, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC);
    return *this;
}

Outcome Statement::run() {
    while (next()) {
    }
    return outcome_;
}

bool Statement::next() {
    if (!statement_) return false;
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    outcome_ = code == SQLITE_DONE ? Outcome::Done : database_.judge(code);
    reset();
    return false;
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
}

std::string Statement::text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return bytes ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size)) : std::string();
}

Result<std::unique_ptr<Database>> Database::open(const std::string& file) {
    sqlite3* handle = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
    std::unique_ptr<Database> database(new Database(handle));
    if (code != SQLITE_OK)
        return Error(Error::Kind::Internal, "can't open the queue store " + file + ": " + database->message());
    sqlite3_busy_timeout(handle, 5000);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    for (const char* each : {"PRAGMA auto_vacuum=INCREMENTAL", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
                             "PRAGMA wal_autocheckpoint=0", "PRAGMA cache_size=-32768"})
        if (database->execute(each) != Outcome::Done)
            return Error(Error::Kind::Internal, "can't open the queue store " + file + ": " + database->message());
    return database;
}

Outcome Database::execute(const char* sql) {
    return judge(sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr));
}

Outcome Database::judge(int code) const {
    const int system = sqlite3_system_errno(handle_.get());
    switch (code & 0xff) {
        case SQLITE_OK:
        case SQLITE_ROW:
        case SQLITE_DONE:
            return Outcome::Done;
        case SQLITE_FULL:
            return Outcome::Full;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_TOOBIG:
        case SQLITE_NOMEM:
        case SQLITE_CONSTRAINT:
            return Outcome::Refused;
        case SQLITE_IOERR:
            // The memory beside the log grows too. A flush that fails is never a matter of room alone: what it should
            // have written is lost.
            if (code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_WRITE)
                if (system == ENOSPC || system == EDQUOT) return Outcome::Full;
            return Outcome::Broken;
        default:
            return Outcome::Broken;
    }
}

std::string Database::message() const { return handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory"; }

std::int64_t Database::pragma(const char* sql) {
    Statement statement(*this, sql);
    const std::int64_t value = statement.next() ? statement.number(0) : 0;
    statement.reset();
    return value;
}

}  // namespace postbus::queues::sqlite
