#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace postbus::deployer {

/// Whether what was written is on the disk when the writing returns, or whenever the system comes to it.
enum class Flush { No, Yes };

/// Writes a file by way of a hidden name beside it, so that the path never stands for half of one. False: errno says
/// why, and the path is what it was.
bool writeWhole(const std::string& path, std::string_view bytes, mode_t mode, Flush flush = Flush::No);

/// None: it can't be read, is no file of its own (a link), or is larger than that.
std::optional<std::string> readWhole(const std::string& path, std::size_t maxSize);

/// A file that takes its place when that is wanted, and not before. It can't be seen until then: its name begins with
/// a dot.
class HeldFile {
public:
    /// For `path`, flushed. False on use: it could not be written, and errno says why.
    HeldFile(const std::string& path, std::string_view bytes, mode_t mode);
    ~HeldFile();
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;

    explicit operator bool() const { return !beside_.empty(); }
    /// In place of what is there, and on the disk when this returns. False: errno says why.
    bool put(Flush flush = Flush::Yes);

private:
    std::string path_, beside_;
};

}  // namespace postbus::deployer
