#pragma once

#include <cstdint>
#include <string>

namespace postbus::queues::sqlite {

/// A file that only takes room, to be given up when the disk is full. One thread.
class Reserve {
public:
    Reserve(std::string file, std::uint64_t bytes) : file_(std::move(file)), bytes_(bytes) {}

    /// False when the disk has not that much room left; nothing is kept then.
    bool acquire();
    void release();

private:
    const std::string file_;
    const std::uint64_t bytes_;
};

}  // namespace postbus::queues::sqlite
