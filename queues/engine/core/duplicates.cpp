#include "queues/engine/core/duplicates.hpp"

namespace postbus::queues {

Duplicates::Seen Duplicates::look(const std::string& key, std::int64_t now) {
    const auto [found, added] = known_.try_emplace(key);
    if (!added) return found->second.pending ? Seen::Pending : Seen::Stored;
    found->second = {now, true, {}};
    order_.emplace_back(key, now);
    return Seen::New;
}

void Duplicates::wait(const std::string& key, Done done) { known_[key].waiting.push_back(std::move(done)); }

std::vector<Done> Duplicates::settle(const std::string& key, bool stored) {
    const auto found = known_.find(key);
    if (found == known_.end()) return {};
    std::vector<Done> waiting = std::move(found->second.waiting);
    if (stored) {
        found->second.pending = false;
        found->second.waiting.clear();
    } else {
        known_.erase(found);
    }
    return waiting;
}

void Duplicates::recover(std::string key, std::int64_t at) {
    known_[key].at = at;
    order_.emplace_back(std::move(key), at);
}

std::vector<std::string> Duplicates::forget(std::size_t count, std::int64_t oldest) {
    std::vector<std::string> forgotten;
    while (!order_.empty() && (order_.size() > count || order_.front().second < oldest)) {
        auto& [key, at] = order_.front();
        const auto found = known_.find(key);
        if (found != known_.end() && found->second.at == at) {
            if (found->second.pending) break;
            known_.erase(found);
            forgotten.push_back(std::move(key));
        }
        order_.pop_front();
    }
    return forgotten;
}

}  // namespace postbus::queues
