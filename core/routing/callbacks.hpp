#pragma once

#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "core/forward.hpp"

namespace postbus::core {

/// Where messages go whose receiver only their sender knows, as a subscriber's. Thread-safe.
class Callbacks {
public:
    virtual ~Callbacks() = default;
    /// Who is at `address`, which the message has named. NotFound, with the remedy, for one that the configuration does
    /// not let it go to; Invalid for one that is none.
    virtual Result<std::shared_ptr<Endpoint>> endpointAt(std::string_view address) = 0;
};

}  // namespace postbus::core
