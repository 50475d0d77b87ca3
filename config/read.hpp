#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"
#include "config/reader.hpp"

namespace postbus::config {

/// Reads a whole document into a struct with fields(): defaults where a key is absent, and every fault of the file at
/// once (unknown key with "did you mean", wrong type, bad value, duplicate key), each as "FILE:LINE:COLUMN: PATH:
/// what".
///
/// Throws ConfigError with all of them.
template <HasFields T>
T read(const Document& document) {
    Problems problems;
    T value{};
    readValue(document.root(), value, Path{}, problems);
    problems.throwIfAny();
    return value;
}

}  // namespace postbus::config
