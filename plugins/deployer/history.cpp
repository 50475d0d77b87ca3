#include "plugins/deployer/history.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "plugins/deployer/whole_file.hpp"

namespace postbus::deployer {
namespace {

// The one that serves, and the one before it.
constexpr std::size_t kept = 2;
constexpr std::size_t maxFile = std::size_t{1} << 20;

/// A line without its end, and what follows; false when there is no whole one.
bool takeLine(std::string_view& text, std::string_view& line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return false;
    line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
}

/// Fields of a line, parted by tabs; false unless there are as many.
template <std::size_t Count>
bool split(std::string_view line, std::array<std::string_view, Count>& fields) {
    for (std::size_t i = 0; i < Count; ++i) {
        const auto end = line.find('\t');
        if ((end == std::string_view::npos) != (i + 1 == Count)) return false;
        fields[i] = line.substr(0, end);
        if (end != std::string_view::npos) line.remove_prefix(end + 1);
    }
    return true;
}

bool storable(const History::Version& version) {
    const auto plain = [](const std::string& text) { return text.find_first_of("\t\n") == std::string::npos; };
    return plain(version.version) && plain(version.file) && plain(version.copy);
}

}  // namespace

void History::load() {
    const auto content = readWhole(file_, maxFile);
    if (!content) return;
    std::string_view left = *content, line;
    std::array<std::string_view, 5> fields;
    while (takeLine(left, line)) {
        if (!split(line, fields)) continue;  // of another version of the bus
        auto& versions = versions_[std::string(fields[0])];
        if (versions.size() < kept)
            versions.push_back(
                {std::string(fields[1]), std::string(fields[2]), std::string(fields[3]), std::string(fields[4])});
    }
}

void History::save() const {
    std::string text;
    for (const auto& [plugin, versions] : versions_)
        for (const Version& each : versions)
            if (storable(each))
                for (const std::string* field : {&plugin, &each.hash, &each.version, &each.file, &each.copy})
                    (text += *field) += field == &each.copy ? '\n' : '\t';
    // Without it there is nothing to go back to after a restart: no reason to stop what serves.
    (void)writeWhole(file_, text, 0600);
}

void History::serves(const std::string& plugin, Version version) {
    auto& versions = versions_[plugin];
    if (!versions.empty() && versions.front() == version) return;  // as at each start
    std::erase_if(versions, [&](const Version& each) { return each.hash == version.hash; });
    versions.push_front(std::move(version));
    if (versions.size() > kept) versions.pop_back();
    save();
}

std::optional<History::Version> History::before(const std::string& plugin, const std::string& hash) const {
    const auto found = versions_.find(plugin);
    if (found == versions_.end()) return std::nullopt;
    const auto other = std::find_if(found->second.begin(), found->second.end(),
                                    [&](const Version& each) { return each.hash != hash; });
    return other == found->second.end() ? std::nullopt : std::optional(*other);
}

void History::addCopies(std::set<std::string>& paths) const {
    for (const auto& [plugin, versions] : versions_)
        for (const Version& each : versions) paths.insert(each.copy);
}

}  // namespace postbus::deployer
