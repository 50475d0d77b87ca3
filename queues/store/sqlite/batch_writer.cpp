#include "queues/store/sqlite/batch_writer.hpp"

namespace postbus::queues::sqlite {

BatchWriter::BatchWriter(Database& database)
    : putQueue_(database, "INSERT INTO queue VALUES(?1,?2,?3) ON CONFLICT(id) DO UPDATE SET name=?2, settings=?3"),
      putBody_(database, "INSERT INTO body VALUES(?1,?2,?3)"),
      putMessage_(database, "INSERT INTO message VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)"),
      changeMessage_(database, "UPDATE message SET queue=?2, expires=?3, due=?4, deliveries=?5, note=?6 WHERE id=?1"),
      dropMessage_(database, "DELETE FROM message WHERE id=?1"),
      dropBody_(database, "DELETE FROM body WHERE id=?1"),
      putSeen_(database, "INSERT OR REPLACE INTO seen VALUES(?1,?2,?3)"),
      dropSeen_(database, "DELETE FROM seen WHERE queue=?1 AND key=?2"),
      dropQueue_(database, "DELETE FROM queue WHERE id=?1"),
      dropQueueSeen_(database, "DELETE FROM seen WHERE queue=?1") {}

Outcome BatchWriter::apply(const Batch& batch) {
    Outcome outcome = Outcome::Done;
    for (const QueueRow& each : batch.putQueues) {
        outcome = putQueue_.bind(1, each.id).bind(2, each.name).bind(3, each.settings).run();
        if (outcome != Outcome::Done) return outcome;
    }
    for (const NewBody& each : batch.putBodies) {
        const std::string_view bytes = each.bytes ? std::string_view(*each.bytes) : std::string_view();
        outcome = putBody_.bind(1, each.id).bind(2, each.head).bind(3, bytes).run();
        if (outcome != Outcome::Done) return outcome;
    }
    if (outcome = putMessages(batch); outcome != Outcome::Done) return outcome;
    if (outcome = changeMessages(batch); outcome != Outcome::Done) return outcome;
    if (outcome = drop(dropMessage_, batch.dropMessages); outcome != Outcome::Done) return outcome;
    if (outcome = drop(dropBody_, batch.dropBodies); outcome != Outcome::Done) return outcome;
    if (outcome = seen(batch); outcome != Outcome::Done) return outcome;
    if (outcome = drop(dropQueueSeen_, batch.dropQueues); outcome != Outcome::Done) return outcome;
    return drop(dropQueue_, batch.dropQueues);
}

Outcome BatchWriter::putMessages(const Batch& batch) {
    for (const MessageRow& each : batch.putMessages) {
        putMessage_.bind(1, each.id).bind(2, each.queue).bind(3, each.body).bind(4, each.sent).bind(5, each.expires);
        putMessage_.bind(6, each.due).bind(7, std::int64_t{each.deliveries}).bind(8, std::int64_t{each.size});
        putMessage_.bind(9, std::int64_t{each.priority});
        // Left unbound they are NULL, which takes no room.
        if (!each.group.empty()) putMessage_.bind(10, each.group);
        if (!each.note.empty()) putMessage_.bind(11, each.note);
        if (const Outcome outcome = putMessage_.run(); outcome != Outcome::Done) return outcome;
    }
    return Outcome::Done;
}

Outcome BatchWriter::changeMessages(const Batch& batch) {
    for (const MessageChange& each : batch.changeMessages) {
        changeMessage_.bind(1, each.id).bind(2, each.queue).bind(3, each.expires).bind(4, each.due);
        changeMessage_.bind(5, std::int64_t{each.deliveries});
        if (!each.note.empty()) changeMessage_.bind(6, each.note);
        if (const Outcome outcome = changeMessage_.run(); outcome != Outcome::Done) return outcome;
    }
    return Outcome::Done;
}

Outcome BatchWriter::drop(Statement& statement, const std::vector<std::int64_t>& ids) {
    for (const std::int64_t each : ids)
        if (const Outcome outcome = statement.bind(1, each).run(); outcome != Outcome::Done) return outcome;
    return Outcome::Done;
}

Outcome BatchWriter::seen(const Batch& batch) {
    for (const SeenRow& each : batch.putSeen)
        if (const Outcome outcome = putSeen_.bind(1, each.queue).bind(2, each.key).bind(3, each.at).run();
            outcome != Outcome::Done)
            return outcome;
    for (const SeenRow& each : batch.dropSeen)
        if (const Outcome outcome = dropSeen_.bind(1, each.queue).bind(2, each.key).run(); outcome != Outcome::Done)
            return outcome;
    return Outcome::Done;
}

}  // namespace postbus::queues::sqlite
