#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

/// SQLite's C interface with destructors. Private to queues/store.
namespace postbus::queues::sqlite {

/// What a failed call means for the store.
enum class Outcome {
    Done,
    Refused,  ///< nothing was written: this batch alone fails
    Full,     ///< no room; nothing was written
    Broken,   ///< a write or flush failed: nobody knows what is on the disk
};

class Database;

/// A prepared statement. Not thread-safe; used by the thread that uses its Database.
class Statement {
public:
    Statement(Database& database, const char* sql);

    Statement& bind(int at, std::int64_t number);
    /// The text must live until run() or the last next(). Bytes may be anything.
    Statement& bind(int at, std::string_view text);

    /// To the end, without rows.
    Outcome run();
    /// The next row; false at the end and at an error, which outcome() tells apart.
    bool next();
    Outcome outcome() const { return outcome_; }
    void reset();

    std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
    std::string text(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    Outcome outcome_ = Outcome::Done;
};

/// A connection, with the settings that a durable queue needs. Closing it writes nothing: the store decides when the
/// log is copied back. One thread at a time.
class Database {
public:
    static Result<std::unique_ptr<Database>> open(const std::string& file);

    Outcome execute(const char* sql);
    /// What `code` of the last call means, read together with the system's error.
    Outcome judge(int code) const;
    std::string message() const;
    bool inTransaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
    std::int64_t pragma(const char* sql);
    sqlite3* handle() const { return handle_.get(); }

private:
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };
    explicit Database(sqlite3* handle) : handle_(handle) {}

    std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace postbus::queues::sqlite
