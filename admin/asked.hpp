#pragma once

#include <memory>
#include <string>

#include "admin/management.hpp"
#include "admin/query.hpp"
#include "base/result.hpp"
#include "core/message/wire.hpp"

namespace postbus::admin {

/// What most requests about queues begin with: the query, the queue it names, the engine.
struct Asked {
    Query query;
    std::string queue;
    std::shared_ptr<queues::Engine> engine;

    /// There: a queue that there is. NotFound otherwise, with the name that was probably meant.
    enum class Named { There, Anything };

    /// Invalid without a queue, NotFound where there are none and none is wanted, and what the store has to say.
    static Result<Asked> of(Management& management, const core::WireRequest& request, Management::Need need,
                            Named named);
};

}  // namespace postbus::admin
