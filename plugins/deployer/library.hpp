#pragma once

#include <postbus/abi.h>

#include <string>

#include "base/result.hpp"

namespace postbus::deployer {

/// A plugin's code, loaded from a private copy. For the deployer's thread.
class Library {
public:
    /// Every symbol is bound now, or it fails; none is seen by other plugins.
    static Result<Library> open(std::string path);
    Library(Library&& other) noexcept;
    Library& operator=(Library&&) = delete;
    ~Library() { close(); }

    const std::string& path() const { return path_; }
    const postbus_plugin* plugin() const { return plugin_; }

    /// Gives the code back. False: it is still mapped.
    bool close();
    /// Forgets it without giving it back: calls into it have not ended.
    void abandon() { handle_ = nullptr; }

private:
    Library(std::string path, void* handle) : path_(std::move(path)), handle_(handle) {}

    std::string path_;
    void* handle_;
    const postbus_plugin* plugin_ = nullptr;
};

/// Whether the dynamic loader has a library of that path.
bool isMapped(const std::string& path);

}  // namespace postbus::deployer
