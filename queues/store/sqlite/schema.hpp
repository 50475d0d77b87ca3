#pragma once

#include "queues/store/sqlite/database.hpp"

namespace postbus::queues::sqlite {

inline constexpr std::int64_t kSchemaVersion = 1;

/// Makes the tables of a new file; refuses a file of a newer version, or of another program.
Result<void> prepareSchema(Database& database);

}  // namespace postbus::queues::sqlite
