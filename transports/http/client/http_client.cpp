#include "transports/http/client/http_client.hpp"

#include <utility>

#include "transports/http/loop/loop.hpp"

namespace postbus::http {

void HttpClient::add(Loop& loop) {
    const std::lock_guard lock(mutex_);
    loop.callsBy(this);
    loops_.push_back(&loop);
}

void HttpClient::close() {
    const std::lock_guard lock(mutex_);
    loops_.clear();
}

ClientPool* HttpClient::here() const {
    Loop* const loop = Loop::current();
    return loop && loop->callsBy() == this ? &loop->clients() : nullptr;
}

bool HttpClient::elsewhere(std::function<void(ClientPool&)> task) {
    // A loop takes tasks as long as it is in the list.
    const std::lock_guard lock(mutex_);
    if (loops_.empty()) return false;
    Loop& loop = *loops_[next_++ % loops_.size()];
    loop.post([&loop, task = std::move(task)] { task(loop.clients()); });
    return true;
}

bool HttpClient::at(ClientPool& pool, std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    for (Loop* each : loops_) {
        if (&each->clients() != &pool) continue;
        each->post(std::move(task));
        return true;
    }
    return false;
}

}  // namespace postbus::http
