#pragma once

#include "queues/store/rows.hpp"
#include "queues/store/sqlite/database.hpp"

namespace postbus::queues::sqlite {

/// Writes batches within the transaction that its user has begun. One thread.
class BatchWriter {
public:
    explicit BatchWriter(Database& database);

    Outcome apply(const Batch& batch);

private:
    Outcome putMessages(const Batch& batch);
    Outcome changeMessages(const Batch& batch);
    Outcome drop(Statement& statement, const std::vector<std::int64_t>& ids);
    Outcome seen(const Batch& batch);

    Statement putQueue_, putBody_, putMessage_, changeMessage_, dropMessage_, dropBody_, putSeen_, dropSeen_,
        dropQueue_, dropQueueSeen_;
};

}  // namespace postbus::queues::sqlite
