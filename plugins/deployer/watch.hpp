#pragma once

#include <sys/types.h>

#include <string>

#include "plugins/deployer/descriptor.hpp"

namespace postbus::deployer {

/// Hints that something may have changed in a folder. Hints only: a look at the folder tells what. For one thread.
class Watch {
public:
    explicit Watch(std::string folder);

    /// Readable when there are hints. Negative if the system has no watches left: then only the regular look is left.
    int descriptor() const { return inotify_.get(); }
    /// Takes the hints that are there.
    void clear();
    /// Watches whatever is at the folder's path by now: it may have been moved away, made anew or mounted over. False
    /// while there is nothing.
    bool refresh();
    /// Whether there will be hints.
    bool watching() const { return watch_ >= 0; }

private:
    std::string folder_;
    Descriptor inotify_;
    int watch_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace postbus::deployer
