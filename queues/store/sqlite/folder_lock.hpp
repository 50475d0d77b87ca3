#pragma once

#include <string>

#include "base/result.hpp"

namespace postbus::queues::sqlite {

/// Holds a folder for one process, by flock on a file in it: gone with the process, however it ends.
class FolderLock {
public:
    FolderLock() = default;
    FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    ~FolderLock();

    /// Makes the folder when it is missing, durably.
    static Result<FolderLock> take(const std::string& folder);

private:
    explicit FolderLock(int file) : file_(file) {}
    int file_ = -1;
};

}  // namespace postbus::queues::sqlite
