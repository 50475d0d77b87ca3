#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace postbus::xml {

/// The document in UTF-8, without a byte order mark: a view of `bytes` where they are UTF-8 already, else of `memory`.
///
/// The encoding is that of the byte order mark, else `charset`, else that of the XML declaration, else UTF-8 (RFC 7303
/// section 3). What claims to be UTF-8 is not looked at. An encoding that we do not read is Error::Kind::Unsupported.
Result<std::string_view> toUtf8(std::string_view bytes, std::string_view charset, std::string& memory);

/// The encoding that the XML declaration names; empty when there is none.
std::string_view declaredEncoding(std::string_view bytes);

}  // namespace postbus::xml
