#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "config/path.hpp"
#include "config/source.hpp"

namespace postbus::config {

/// Everything that is wrong with a configuration, for a person to mend in one go. what() has one problem a line, in the
/// order of the file: "FILE:LINE:COLUMN: PATH: what".
class ConfigError : public std::runtime_error {
public:
    explicit ConfigError(std::vector<std::string> problems);
    explicit ConfigError(std::string problem) : ConfigError(std::vector<std::string>{std::move(problem)}) {}

    const std::vector<std::string>& problems() const { return problems_; }

private:
    std::vector<std::string> problems_;
};

/// Collects problems while a document is read, so that all are told at once. Of a flood only the first 100 are kept,
/// the rest are counted.
class Problems {
public:
    void add(const Place& place, const Path& path, std::string what);
    /// The same, unless this very value has one already: what follows from a first fault is no news.
    void addUnlessKnown(const Place& place, const Path& path, std::string what);

    /// This value was meant by a key that is not known, as has been told: that it is missing follows from that.
    void meant(const Path& path) { meant_.push_back(path.text()); }

    bool empty() const { return list_.empty(); }
    /// Throws ConfigError when there is any.
    void throwIfAny() const;

private:
    struct Problem {
        Place place;
        std::string path;
        std::string what;
    };
    std::vector<Problem> list_;
    std::vector<std::string> meant_;
    std::size_t unlisted_ = 0;
};

}  // namespace postbus::config
