#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace postbus::cli {

/// Where a message's bytes go: standard output, or a file that is there when all of them are, and is what it was before
/// if they don't come.
class BodyFile {
public:
    /// Empty or "-": standard output.
    explicit BodyFile(std::string name);
    ~BodyFile();
    BodyFile(const BodyFile&) = delete;
    BodyFile& operator=(const BodyFile&) = delete;

    bool isOpen() const { return file_ != nullptr; }
    bool write(std::string_view bytes);
    /// All has been written. False: not to its end.
    bool finish();

private:
    std::string name_, part_;  // what it becomes, and what it is called until then; the latter may be empty
    std::FILE* file_ = nullptr;
};

}  // namespace postbus::cli
