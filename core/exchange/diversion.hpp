#pragma once

#include <memory>

#include "core/message/wire.hpp"

namespace postbus::core {

/// Where the end of an exchange is told instead of to its caller, as an interceptor found in the request. Null: to the
/// caller, as ever.
///
/// The caller is told 202. Where neither an answer nor a fault is for it, it is told so as soon as nothing but the
/// endpoint can refuse the request, and may go; from then on the deadline is the exchange's own. A request that was
/// refused before for want of room (Error::Kind::Unavailable) was never taken: its caller gets the fault, wherever
/// faults go. One that keeps its message until the end (Origin::untilEnd) is told when all is over.
struct Diversion {
    std::shared_ptr<Replier> answer, fault;

    explicit operator bool() const { return answer || fault; }
    /// Nothing is left to be told to the caller but that the request was taken.
    bool whole() const { return answer && fault; }
};

}  // namespace postbus::core
