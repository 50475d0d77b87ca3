#pragma once

#include <string>

#include "config/describe.hpp"

namespace postbus::reference {

/// docs/reference/configuration.md: a section for each mapping, a row for each key.
std::string renderPage(const config::Described& whole);

}  // namespace postbus::reference
