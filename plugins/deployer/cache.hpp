#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::deployer {

/// What the probe told about a plugin.
struct Identity {
    std::string plugin, version;
};

/// The bus's own copies of plugin files, by content: DIRECTORY/<sha256>/NAME.so. Only these are ever loaded, so what
/// happens to a dropped file later can't reach running code. For the deployer's thread.
class Cache {
public:
    explicit Cache(std::string directory) : directory_(std::move(directory)) {}

    /// Makes the directory, or checks the one that is there: ours or root's, for us alone (0700), not mounted noexec.
    /// Throws std::runtime_error with the remedy.
    void prepare();

    /// Writes a fresh copy, whole or not at all, and returns its path. `inUse` are paths that code is mapped from: they
    /// are left alone, since loading the same path again would give the code that is there.
    Result<std::string> store(const std::string& hash, std::string_view stem, std::string_view bytes,
                              const std::set<std::string>& inUse) const;
    /// Another copy of one that is in use.
    Result<std::string> storeAgain(const std::string& hash, std::string_view stem, const std::string& copy,
                                   const std::set<std::string>& inUse) const;

    /// Content that has passed the probe before needs it no more.
    void remember(const std::string& hash, const Identity& identity) const;
    std::optional<Identity> recall(const std::string& hash) const;

    /// Keeps the `count` contents used last, and all that is in use.
    void prune(std::size_t count, const std::set<std::string>& inUse) const;

private:
    std::string folderOf(const std::string& hash) const { return directory_ + '/' + hash; }

    std::string directory_;
};

}  // namespace postbus::deployer
