#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace postbus::cli {

void print(std::FILE* to, std::string_view text);

/// All bytes of a file, or of standard input for "-". None: it can't be read, or is a folder.
std::optional<std::string> contentOf(const std::string& file);

}  // namespace postbus::cli
