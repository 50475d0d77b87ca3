#include "queues/store/sqlite/writer.hpp"

namespace postbus::queues::sqlite {
namespace {

// One transaction holds no more than this, so that no one waits for a stranger's megabytes.
constexpr std::size_t kGroupBatches = 1024;
constexpr std::size_t kGroupBytes = 8 << 20;

constexpr milliseconds kRoomInterval{250};
constexpr int kRoomSlices = 32;
constexpr milliseconds kIdle{1000};
constexpr std::int64_t kFreePages = 4096;  // 16 MiB stay for what comes next
constexpr std::int64_t kSlice = 512;

std::size_t weight(const Batch& batch) {
    std::size_t bytes = 0;
    for (const NewBody& each : batch.putBodies) bytes += each.head.size() + (each.bytes ? each.bytes->size() : 0);
    return bytes;
}

}  // namespace

Writer::Writer(Database& database, Health& health, Reserve& reserve, int logPages, std::function<void(int)> grown)
    : database_(database),
      health_(health),
      reserve_(reserve),
      logPages_(logPages),
      grown_(std::move(grown)),
      writer_(database) {
    sqlite3_wal_hook(
        database_.handle(),
        [](void* self, sqlite3*, const char*, int pages) {
            auto& writer = *static_cast<Writer*>(self);
            writer.logged_ = pages;
            writer.grown_(pages);
            return SQLITE_OK;
        },
        this);
    thread_ = std::thread([this] { run(); });
}

void Writer::push(Batch batch, QueueStore::Done done) {
    bool first = false;
    {
        std::lock_guard lock(mutex_);
        first = pushed_.empty();
        pushed_.push_back({std::move(batch), std::move(done), ok()});
    }
    if (first) wake_.notify_one();
}

void Writer::finishCheckpoint() {
    {
        std::lock_guard lock(mutex_);
        checkpoint_ = true;
    }
    wake_.notify_one();
}

void Writer::stop() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Writer::run() {
    std::unique_lock lock(mutex_);
    bool more = true;  // pages to give back
    for (;;) {
        const bool full = health_.state() == QueueStore::State::Full;
        const auto pause = full ? kRoomInterval : kIdle;
        const bool called = wake_.wait_for(lock, more && !full ? milliseconds(20) : pause,
                                           [this] { return stop_ || checkpoint_ || !pushed_.empty(); });
        if (pushed_.empty() && stop_) return;
        std::vector<Item> group = take(lock);
        const bool catchUp = std::exchange(checkpoint_, false);
        lock.unlock();
        if (catchUp) checkpoint(SQLITE_CHECKPOINT_PASSIVE);
        // The other thread has not kept up: now everyone waits, or the log would grow for ever.
        if (logged_ > 2 * logPages_) checkpoint(SQLITE_CHECKPOINT_RESTART);
        if (health_.state() == QueueStore::State::Full) lookForRoom();
        if (!group.empty()) write(group);
        for (Item& each : group)
            if (each.done) each.done(std::move(each.result));
        more = called ? true : giveBack();
        lock.lock();
    }
}

std::vector<Writer::Item> Writer::take(std::unique_lock<std::mutex>&) {
    std::vector<Item> group;
    std::size_t count = 0, bytes = 0;
    while (count < pushed_.size() && count < kGroupBatches && bytes < kGroupBytes)
        bytes += weight(pushed_[count++].batch);
    if (count == pushed_.size()) {
        group.swap(pushed_);
    } else {
        const auto end = pushed_.begin() + static_cast<std::ptrdiff_t>(count);
        group.assign(std::make_move_iterator(pushed_.begin()), std::make_move_iterator(end));
        pushed_.erase(pushed_.begin(), end);
    }
    return group;
}

void Writer::write(std::span<Item> group) {
    if (health_.state() == QueueStore::State::Full) return writeEach(group);
    Outcome outcome = health_.failure() ? Outcome::Broken : transaction(group);
    if (outcome == Outcome::Full) {
        health_.full(database_.message());
        enterFull();
    }
    if ((outcome == Outcome::Full || outcome == Outcome::Refused)) return writeEach(group);
    for (Item& each : group) conclude(each, outcome);
}

void Writer::writeEach(std::span<Item> group) {
    for (std::size_t i = 0; i < group.size(); ++i) {
        Item& item = group[i];
        Outcome outcome = Outcome::Full;
        if (health_.failure()) {
            outcome = Outcome::Broken;
        } else if (health_.state() != QueueStore::State::Full || !item.batch.takesRoom()) {
            outcome = transaction(group.subspan(i, 1));
        }
        conclude(item, outcome);
    }
}

Outcome Writer::transaction(std::span<Item> group) {
    Outcome outcome = database_.execute("BEGIN IMMEDIATE");
    if (outcome != Outcome::Done) return rollBack(outcome);
    for (const Item& each : group)
        if (outcome = writer_.apply(each.batch); outcome != Outcome::Done) return rollBack(outcome);
    outcome = database_.execute("COMMIT");
    return outcome == Outcome::Done ? outcome : rollBack(outcome);
}

Outcome Writer::rollBack(Outcome why) {
    if (why == Outcome::Broken) {
        health_.fail(database_.message());
        return why;
    }
    // SQLite has rolled back by itself where a full disk was the reason.
    if (database_.inTransaction() && database_.execute("ROLLBACK") != Outcome::Done) {
        health_.fail(database_.message());
        return Outcome::Broken;
    }
    return why;
}

void Writer::conclude(Item& item, Outcome outcome) {
    switch (outcome) {
        case Outcome::Done:
            return;
        case Outcome::Full:
            item.result = health_.fullError();
            return;
        case Outcome::Refused:
            item.result = Error(Error::Kind::Unavailable, "the queue store refused a change: " + database_.message());
            return;
        case Outcome::Broken:
            item.result = *health_.failure();
            return;
    }
}

void Writer::checkpoint(int mode) {
    if (health_.failure()) return;
    const int code = sqlite3_wal_checkpoint_v2(database_.handle(), nullptr, mode, nullptr, nullptr);
    if (code == SQLITE_OK && mode != SQLITE_CHECKPOINT_PASSIVE) logged_ = 0;
    if (database_.judge(code) == Outcome::Broken) health_.fail(database_.message());
}

void Writer::enterFull() {
    inFull_ = true;
    lookedForRoom_ = Clock::now();
    // The room of the reserve is for the database to take up the log. The log's own room is then free for what follows:
    // acknowledgements write over it, however many they are.
    reserve_.release();
    checkpoint(SQLITE_CHECKPOINT_RESTART);
}

void Writer::lookForRoom() {
    if (!inFull_) enterFull();
    if (Clock::now() - lookedForRoom_ < kRoomInterval) return;
    // What receivers have taken meanwhile is room too, once the file has shrunk by it.
    for (int i = 0; i < kRoomSlices && !health_.failure(); ++i) {
        if (database_.pragma("PRAGMA freelist_count") == 0) break;
        const Outcome outcome = database_.execute("PRAGMA incremental_vacuum(64)");
        if (outcome != Outcome::Done) rollBack(outcome);
        checkpoint(SQLITE_CHECKPOINT_RESTART);
        if (outcome != Outcome::Done) break;
    }
    if (!health_.failure() && reserve_.acquire()) {
        inFull_ = false;
        health_.room();
    }
    lookedForRoom_ = Clock::now();
}

bool Writer::giveBack() {
    if (health_.state() != QueueStore::State::Open) return false;
    const std::int64_t pages = database_.pragma("PRAGMA freelist_count");
    if (pages <= kFreePages) return false;
    static_assert(kSlice == 512);
    if (const Outcome outcome = database_.execute("PRAGMA incremental_vacuum(512)"); outcome != Outcome::Done) {
        rollBack(outcome);
        return false;
    }
    // The file itself gets shorter when the log is copied back.
    if (pages - kSlice <= kFreePages) checkpoint(SQLITE_CHECKPOINT_PASSIVE);
    return true;
}

}  // namespace postbus::queues::sqlite
