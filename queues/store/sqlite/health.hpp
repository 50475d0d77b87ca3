#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "queues/store/queue_store.hpp"

namespace postbus::queues::sqlite {

/// Whether the store serves, as all its threads see it. Failed is for good. Thread-safe.
class Health {
public:
    /// `onFailed` may be empty; it is told of the first failure, on the thread that found it.
    Health(std::string file, std::function<void()> onFailed) : file_(std::move(file)), onFailed_(std::move(onFailed)) {}

    QueueStore::State state() const { return state_.load(std::memory_order_acquire); }
    std::optional<Error> failure() const;
    /// The first reason stays.
    void fail(const std::string& reason);
    void full(const std::string& reason);
    void room();
    Error fullError() const;

private:
    const std::string file_;
    const std::function<void()> onFailed_;
    std::atomic<QueueStore::State> state_{QueueStore::State::Open};
    mutable std::mutex mutex_;
    std::string reason_;
};

}  // namespace postbus::queues::sqlite
