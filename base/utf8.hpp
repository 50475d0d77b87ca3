#pragma once

#include <cstddef>
#include <string_view>

namespace postbus {

/// Length of the well-formed UTF-8 sequence `text` begins with (RFC 3629: no overlong forms, no surrogates, at most
/// U+10FFFF), 0 when it begins with none.
std::size_t utf8Sequence(std::string_view text);

}  // namespace postbus
