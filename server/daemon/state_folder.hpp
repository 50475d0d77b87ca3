#pragma once

#include <string>

namespace postbus::server {

/// The folder where a daemon keeps what outlives it, locked for as long as this object lives: two daemons on one folder
/// would load the same plugins and later lose messages.
///
/// The lock is flock on STATE/postbusd.lock, which holds the owner's pid: it goes with the process, however it ends.
class StateFolder {
public:
    /// $STATE_DIRECTORY, else ./postbus-state; absolute.
    static std::string defaultPath();

    /// Makes the folder if need be and locks it. Throws std::runtime_error with the reason; a folder that is in use
    /// names the other daemon's pid.
    explicit StateFolder(std::string path);
    ~StateFolder();
    StateFolder(const StateFolder&) = delete;
    StateFolder& operator=(const StateFolder&) = delete;

    const std::string& path() const { return path_; }
    /// A path inside; one that is absolute stays as it is.
    std::string inside(const std::string& name) const;
    /// Makes a folder inside, and those on the way. Throws std::runtime_error.
    std::string makeFolder(const std::string& name) const;

private:
    std::string path_;
    int lock_ = -1;
};

}  // namespace postbus::server
