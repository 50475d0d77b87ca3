#include "queues/store/sqlite/health.hpp"

#include "queues/store/store_events.hpp"

namespace postbus::queues::sqlite {

using State = QueueStore::State;

std::optional<Error> Health::failure() const {
    if (state() != State::Failed) return std::nullopt;
    std::lock_guard lock(mutex_);
    return Error::internal("the queue store is out of service since a write failed (" + reason_ + "); open it again");
}

void Health::fail(const std::string& reason) {
    {
        std::lock_guard lock(mutex_);
        if (state() == State::Failed) return;
        reason_ = reason;
        state_.store(State::Failed, std::memory_order_release);
    }
    log::emit(StoreFailed, {{"file", file_}, {"reason", reason}});
    if (onFailed_) onFailed_();
}

void Health::full(const std::string& reason) {
    State open = State::Open;
    if (state_.compare_exchange_strong(open, State::Full)) log::emit(StoreFull, {{"file", file_}, {"reason", reason}});
}

void Health::room() {
    State full = State::Full;
    if (state_.compare_exchange_strong(full, State::Open)) log::emit(StoreRoom, {{"file", file_}});
}

Error Health::fullError() const {
    return {Error::Kind::Unavailable, "the disk of the queue store is full; nothing was stored"};
}

}  // namespace postbus::queues::sqlite
