#pragma once

#include <cstddef>
#include <memory>

#include "core/forward.hpp"

namespace postbus::core {

/// What a request was let in by: the table it will keep until it ends, its route there and the binding that claimed it.
struct Admission {
    std::shared_ptr<const RouteTable> table;
    const Route* route = nullptr;      ///< null: there is none for this path
    const Binding* binding = nullptr;  ///< null: the route has none for this head
};

}  // namespace postbus::core
