#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "queues/engine/session.hpp"

namespace postbus::queues {

/// The keys a queue has seen lately. A key counts once its message is stored; until then, a second sender waits for the
/// first one's outcome.
class Duplicates {
public:
    enum class Seen { New, Stored, Pending };

    /// A New key is pending from now on.
    Seen look(const std::string& key, std::int64_t now);
    /// `done` runs by the list that settle() returns.
    void wait(const std::string& key, Done done);
    /// The message of the key was stored, or not: then the next sender is New. Whoever waited is returned.
    std::vector<Done> settle(const std::string& key, bool stored);
    void recover(std::string key, std::int64_t at);
    /// Forgets what is over `count` or older than `time`; returns the keys.
    std::vector<std::string> forget(std::size_t count, std::int64_t oldest);

private:
    struct Known {
        std::int64_t at = 0;
        bool pending = false;
        std::vector<Done> waiting;
    };
    std::unordered_map<std::string, Known> known_;
    std::deque<std::pair<std::string, std::int64_t>> order_;
};

}  // namespace postbus::queues
