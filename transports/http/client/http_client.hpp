#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "transports/http/client/client_pool.hpp"

namespace postbus::http {

class Loop;

/// The way to the client pools of a transport's loops, from any thread.
class HttpClient {
public:
    /// The pool of the loop whose thread this is; null when it is none of this transport's.
    ClientPool* here() const;
    /// Runs `task` on one of the loops, with its pool; they take turns. False: the transport has stopped, and `task` is
    /// not taken.
    bool elsewhere(std::function<void(ClientPool&)> task);

    /// Runs `task` on the loop of `pool`, which elsewhere() has given. False: as there.
    bool at(ClientPool& pool, std::function<void()> task);

    // The transport's own.
    void add(Loop& loop);
    void close();

private:
    mutable std::mutex mutex_;
    std::vector<Loop*> loops_;
    std::size_t next_ = 0;
};

}  // namespace postbus::http
