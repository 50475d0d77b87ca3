#include "config/problems.hpp"

#include <algorithm>

namespace postbus::config {
namespace {

constexpr std::size_t listed = 100;

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Of a path that is longer than a message should be, its start and its end.
std::string cut(const std::string& path) {
    constexpr std::size_t most = 160, kept = 70;
    if (path.size() <= most) return path;
    std::size_t head = kept, tail = path.size() - kept;
    while (continuesCharacter(path[head])) --head;
    while (continuesCharacter(path[tail])) ++tail;
    return path.substr(0, head) + "..." + path.substr(tail);
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        if (!text.empty()) text += '\n';
        text += line;
    }
    return text;
}

}  // namespace

ConfigError::ConfigError(std::vector<std::string> problems)
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

void Problems::add(const Place& place, const Path& path, std::string what) {
    if (list_.size() == listed) {
        ++unlisted_;
        return;
    }
    list_.push_back({place, path.text(), std::move(what)});
}

void Problems::addUnlessKnown(const Place& place, const Path& path, std::string what) {
    const bool known = std::any_of(list_.begin(), list_.end(), [&](const Problem& p) { return p.path == path.text(); });
    const bool misspelt = std::find(meant_.begin(), meant_.end(), path.text()) != meant_.end();
    if (!known && !misspelt) add(place, path, std::move(what));
}

void Problems::throwIfAny() const {
    if (list_.empty()) return;
    std::vector<Problem> sorted = list_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Problem& a, const Problem& b) { return a.place.before(b.place); });
    std::vector<std::string> lines;
    for (const Problem& each : sorted) {
        std::string line = each.place.text();
        if (!line.empty()) line += ": ";
        if (!each.path.empty()) line += cut(each.path) + ": ";
        lines.push_back(std::move(line += each.what));
    }
    if (unlisted_) lines.push_back("and " + std::to_string(unlisted_) + " more problems");
    throw ConfigError(std::move(lines));
}

}  // namespace postbus::config
