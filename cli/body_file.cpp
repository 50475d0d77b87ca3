#include "cli/body_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <utility>

namespace postbus::cli {

BodyFile::BodyFile(std::string name) : name_(std::move(name)) {
    if (name_.empty() || name_ == "-") {
        file_ = stdout;
        return;
    }
    std::error_code none;
    const auto kind = std::filesystem::status(name_, none).type();
    const bool replaced = kind == std::filesystem::file_type::not_found || kind == std::filesystem::file_type::regular;
    // A pipe or a device is written to as it is.
    if (replaced) part_ = name_ + ".part-" + std::to_string(getpid());
    file_ = std::fopen((replaced ? part_ : name_).c_str(), "wb");
    if (!file_) part_.clear();
}

BodyFile::~BodyFile() {
    if (file_ && file_ != stdout) std::fclose(file_);
    if (!part_.empty()) std::remove(part_.c_str());
}

bool BodyFile::write(std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
}

bool BodyFile::finish() {
    std::FILE* const file = std::exchange(file_, nullptr);
    const bool written = (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
    if (part_.empty() || !written) return written;
    const bool renamed = std::rename(part_.c_str(), name_.c_str()) == 0;
    if (renamed) part_.clear();
    return renamed;
}

}  // namespace postbus::cli
