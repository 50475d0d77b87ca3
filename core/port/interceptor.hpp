#pragma once

#include <postbus/element.hpp>

#include <optional>

#include "core/exchange/exchange.hpp"
#include "core/exchange/fault.hpp"

/// What stands between the wire and an endpoint, by the endpoint's configuration:
///
///     bytes --read--> envelope --[envelope interceptors]--> --unwrap--> payload --[payload interceptors]--> endpoint
///     bytes <-write-- envelope <-[envelope interceptors]------------- payload <-[payload interceptors]--- answer
///
/// Both kinds are const and without state: one serves all exchanges of its endpoint, on all loops at once; what it has
/// to remember of an exchange it keeps there as a Note. On the way in they are asked in order. On the way back those
/// that let the request pass see its answer, or the fault it ended in, in reverse order, once, on the loop that read
/// the request. They see nothing of an exchange that ends without a message, or whose caller is gone.
namespace postbus::core {

/// Sees envelopes: exchange.tape() on the way in, the header blocks of the answer on the way back. For bindings that
/// have envelopes.
class EnvelopeInterceptor {
public:
    virtual ~EnvelopeInterceptor() = default;

    /// A fault refuses the request.
    virtual std::optional<Fault> onRequest(Exchange& exchange) const = 0;
    /// The answer is exchange.draft(), and blocks for its header go there; with `fault`, which may be added to, that is
    /// the answer, and the draft must not be touched: at a time-out the endpoint is still at work on it. A fault that
    /// is returned takes the answer's place.
    virtual std::optional<Fault> onAnswer(Exchange& exchange, Fault* fault) const = 0;
    /// Whether it has dealt with this header block of the request, so that mustUnderstand is satisfied.
    virtual bool understands(const Exchange&, Element /*block*/) const { return false; }
};

/// Sees payloads: the request's, with its operation known, and the answer's, which is XML, in bytes or on a tape. For
/// bindings of every kind, in-process calls among them.
class PayloadInterceptor {
public:
    virtual ~PayloadInterceptor() = default;

    /// As in EnvelopeInterceptor.
    virtual std::optional<Fault> onRequest(Exchange& exchange) const = 0;
    virtual std::optional<Fault> onAnswer(Exchange& exchange, Fault* fault) const = 0;
};

}  // namespace postbus::core
