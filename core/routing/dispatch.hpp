#pragma once

#include <array>

#include <postbus/fields.hpp>

namespace postbus::core {

/// Where the operations of an endpoint run.
enum class Dispatch {
    Declared,  ///< as each of them says: on the loop if it is nonblocking, else on a worker
    Pooled,    ///< all on workers
    Inline,    ///< all on the loop that read the request
};

constexpr auto enumerators(Dispatch) {
    return std::array{enumerator("declared", Dispatch::Declared), enumerator("pooled", Dispatch::Pooled),
                      enumerator("inline", Dispatch::Inline)};
}

}  // namespace postbus::core
