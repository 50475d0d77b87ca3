#pragma once

#include <string>
#include <string_view>

namespace postbus {

/// RFC 4648 section 4.
std::string base64(std::string_view bytes);

}  // namespace postbus
