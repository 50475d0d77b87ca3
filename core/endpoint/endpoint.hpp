#pragma once

#include <string>

#include "base/result.hpp"
#include "core/exchange/exchange.hpp"
#include "formats/wsdl/contract.hpp"

namespace postbus::core {

/// Takes exchanges: a service, later a queue, a route, a remote address.
class Endpoint {
public:
    virtual ~Endpoint() = default;

    /// From many threads at once: on the loop that read the request when the operation is nonblocking or the route says
    /// so, else on a pool thread. Must not throw.
    virtual void process(ExchangePtr exchange) = 0;

    /// What it offers; valid as long as the endpoint.
    virtual const wsdl::Contract& contract() const = 0;
    /// What it has for messages of a service that speaks first, by the pattern as this endpoint sees it: one that
    /// begins with In. Null: nothing of its own, its contract says. An error: such a conversation is not to be had.
    virtual Result<const wsdl::Operation*> operationUnder(Pattern) const { return nullptr; }
    /// The service's name, version and the plugin it comes from, for people.
    virtual std::string_view name() const = 0;
    virtual std::string_view version() const { return {}; }
    virtual std::string_view origin() const { return {}; }
};

}  // namespace postbus::core
