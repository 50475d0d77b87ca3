#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace postbus::deployer {

/// Which contents served, by plugin, the last first: what a rollback goes back to. Kept in a file, over the end of the
/// bus. For the deployer's thread.
class History {
public:
    struct Version {
        std::string hash, version;
        std::string file;  ///< name in the deploy folder
        std::string copy;  ///< in the cache

        bool operator==(const Version&) const = default;
    };

    /// `file` keeps it.
    explicit History(std::string file) : file_(std::move(file)) {}
    /// What the file has; nothing where there is none, or it can't be read.
    void load();

    /// That it serves now.
    void serves(const std::string& plugin, Version version);
    /// The last that served and is not `hash`.
    std::optional<Version> before(const std::string& plugin, const std::string& hash) const;
    /// The copies that are to be kept for it.
    void addCopies(std::set<std::string>& paths) const;

private:
    void save() const;

    std::string file_;
    std::map<std::string, std::deque<Version>> versions_;
};

}  // namespace postbus::deployer
