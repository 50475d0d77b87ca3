#pragma once

namespace postbus::core {

/// What an interceptor remembers of one exchange between its request and its answer. Made on the way in, kept by the
/// exchange, destroyed when that is over, on the loop that read the request.
class Note {
public:
    virtual ~Note() = default;
};

}  // namespace postbus::core
