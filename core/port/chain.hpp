#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/port/interceptor.hpp"

namespace postbus::core {

/// The interceptors of one endpoint, in order. Built, published with a route, never changed.
class Chain {
public:
    void add(std::shared_ptr<const EnvelopeInterceptor> interceptor) { envelopes_.push_back(std::move(interceptor)); }
    void add(std::shared_ptr<const PayloadInterceptor> interceptor) { payloads_.push_back(std::move(interceptor)); }
    bool empty() const { return envelopes_.empty() && payloads_.empty(); }

    /// Whether one of them has dealt with this header block of a request that is on its way in.
    bool understands(const Exchange& exchange, Element block) const;

private:
    friend class InboundPort;

    std::optional<Fault> enterEnvelope(Exchange& exchange) const;
    std::optional<Fault> enterPayload(Exchange& exchange) const;
    /// The way back, for those that let the request pass; `fault` is what it ends in so far.
    void leavePayload(Exchange& exchange, std::optional<Fault>& fault) const;
    void leaveEnvelope(Exchange& exchange, std::optional<Fault>& fault) const;

    std::vector<std::shared_ptr<const EnvelopeInterceptor>> envelopes_;
    std::vector<std::shared_ptr<const PayloadInterceptor>> payloads_;
};

}  // namespace postbus::core
