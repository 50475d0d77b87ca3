#pragma once

#include <string_view>

namespace postbus {

/// Of this build, as the root CMakeLists.txt has it: "0.1.0".
std::string_view version();

}  // namespace postbus
