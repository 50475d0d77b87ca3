#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "base/snapshot.hpp"
#include "core/exchange/exchange_pool.hpp"
#include "core/exchange/worker_pool.hpp"
#include "core/message/wire.hpp"
#include "core/routing/route_table.hpp"

namespace postbus::core {

/// Where transports meet the bus: the only place that knows transport, bindings and router.
///
/// A transport calls admit() when it has the head of a request, reads the body within the admission's limits, and hands
/// it to receive(); what it has to turn away itself it answers with refuse(), so that a SOAP caller gets a SOAP fault.
/// Const and without locks of its own; used by all loops at once.
class InboundPort {
public:
    InboundPort(const Snapshot<RouteTable>& routes, WorkerPool& workers) : routes_(routes), workers_(workers) {}

    /// By listener and path finds the route, by the head the binding. Never fails: an admission without route or
    /// binding is one to refuse with check().
    Admission admit(const RequestHead& head) const;
    /// The same by the endpoint's name, for transports whose addresses are no paths.
    Admission admitNamed(std::string_view endpoint, const RequestHead& head) const;
    /// What speaks against going on: NotFound without a route, Unsupported without a binding (answered 405), the
    /// binding's own objection.
    Result<void> check(const Admission& admission, const RequestHead& head) const;

    /// Begins an exchange and sends it on its way; `request` comes back empty, its memory exchanged. `timeLimit` is the
    /// listener's, used when the route has none; `origin`, of a request that another exchange or a plugin makes. The
    /// answer may have been given by the time this returns.
    ExchangeRef receive(ExchangePool& pool, Admission&& admission, WireRequest& request, ReplyTo replyTo,
                        milliseconds timeLimit, const Origin& origin = {}) const;
    /// The same for a message that is a tape: `origin` has all there is of it.
    ExchangeRef receive(ExchangePool& pool, Admission&& admission, ReplyTo replyTo, const Origin& origin) const;

    /// An answer for a request that does not become an exchange, in the terms of the binding that claimed it, else
    /// plain text. `requestId` is put into it.
    WireAnswer refuse(const Admission& admission, const RequestHead& head, Error error, std::string_view requestId,
                      Buffer memory) const;
    /// The same for a fault that the transport has made itself, which it keeps until the answer is used; a binding has
    /// claimed the request.
    static WireAnswer refuse(const Admission& admission, const RequestHead& head, const Fault& fault,
                             std::string_view requestId, Buffer memory);
    /// The answer to OPTIONS.
    WireAnswer options(const Admission& admission) const;

private:
    friend class Exchange;
    friend class ExchangeRef;
    ExchangeRef proceed(ExchangePtr exchange, const Origin& origin) const;
    static Error wrongMethod(const Route& route, std::string_view method);
    static std::optional<Fault> enter(Exchange& exchange);
    static void intercept(Exchange& exchange, std::optional<Fault>& fault);
    void dispatch(ExchangePtr exchange) const;
    static void answered(Exchange& exchange, WireAnswer& answer);
    static WireAnswer done(const Exchange& exchange);
    static void sign(const Exchange& exchange, WireAnswer& answer);

    const Snapshot<RouteTable>& routes_;
    WorkerPool& workers_;
};

/// HTTP's status for an error, used by transports and by bindings that have no rule of their own (RFC 9110 section 15).
int httpStatus(Error::Kind kind);

}  // namespace postbus::core
