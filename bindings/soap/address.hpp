#pragma once

#include <string>

#include "core/message/wire.hpp"

namespace postbus::soap {

/// The URL that a request came to, without its query, as it may stand in an attribute: by the scheme and host that the
/// caller used. A caller that names no host (HTTP/1.0) gets localhost. Characters that a URL can't hold are
/// percent-encoded: nothing that a caller puts into Host leaves the attribute.
std::string addressOf(const core::RequestHead& head);

}  // namespace postbus::soap
