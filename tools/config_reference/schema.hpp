#pragma once

#include <string>

#include "config/describe.hpp"

namespace postbus::reference {

/// docs/reference/postbus.schema.json: JSON Schema draft 7, which editors know.
std::string renderSchema(const config::Described& whole);

}  // namespace postbus::reference
