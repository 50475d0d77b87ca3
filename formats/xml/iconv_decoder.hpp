#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::xml {

/// Converts with the C library's iconv, from an encoding by its name there, into `memory`. The thread's last converter
/// is kept, so that senders of one encoding cost no set-up.
Result<std::string_view> iconvToUtf8(std::string_view bytes, const char* encoding, std::string& memory);

}  // namespace postbus::xml
