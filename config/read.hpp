#pragma once

#include <postbus/fields.hpp>

#include "config/document.hpp"
#include "config/reader.hpp"

namespace postbus::config {

/// Reads a whole document into a struct with fields(): defaults where a key is absent, and every fault of the file at
/// once (unknown key with "did you mean", wrong type, bad value, duplicate key, what validate() refuses), each as
/// "FILE:LINE:COLUMN: PATH: what".
///
/// Throws ConfigError with all of them.
template <HasFields T>
T read(const Document& document) {
    Problems problems = document.problems();
    T value{};
    readValue(document.root(), value, Path{}, problems);
    problems.throwIfAny();
    return value;
}

}  // namespace postbus::config
