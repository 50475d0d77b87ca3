#include "cli/streams.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace postbus::cli {

void print(std::FILE* to, std::string_view text) { std::fwrite(text.data(), 1, text.size(), to); }

std::optional<std::string> contentOf(const std::string& file) {
    if (file == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::error_code none;
    // A stream opens a folder, and finds nothing in it.
    if (std::filesystem::is_directory(file, none)) return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace postbus::cli
