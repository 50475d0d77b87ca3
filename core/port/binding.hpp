#pragma once

#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "core/endpoint/endpoint.hpp"
#include "core/exchange/exchange.hpp"
#include "core/message/wire.hpp"

namespace postbus::core {

/// Turns a wire message into a message and back. Const and without state: one serves all requests of its endpoint, on
/// all loops at once.
class Binding {
public:
    virtual ~Binding() = default;

    /// Whether it takes a request with this head. A path's bindings are asked in order; the first that claims it has
    /// it.
    virtual bool claims(const RequestHead& head) const = 0;
    /// The methods it takes, for Allow: "GET, HEAD".
    virtual std::string_view methods() const = 0;
    /// For who came with one of these methods and was not claimed by any: what they are for. Perhaps nothing.
    virtual std::string_view hint() const { return {}; }
    /// After claims(): what speaks against the head (media type ...), before the body is read.
    virtual Result<void> inspect(const RequestHead&) const { return ok(); }
    /// Whether bodies go on as they are: content codings are left on them, and one that is large comes as a stream.
    virtual bool passesBodies() const { return false; }

    /// Bytes to envelope: fills exchange.tape().
    virtual Result<void> read(Exchange& exchange) const = 0;
    /// Envelope to payload: finds the operation and calls exchange.identify(). A binding that answers by itself (?wsdl)
    /// identifies nothing and drafts the answer in here: the port then replies at once.
    virtual Result<void> unwrap(Exchange& exchange) const = 0;
    /// Gets exchange.draft() ready: room for what write() will put in front, writer begun.
    virtual void prepare(Exchange& exchange) const = 0;
    /// Whether there is an envelope around its payloads, for envelope interceptors to see.
    virtual bool hasEnvelopes() const { return false; }
    /// Ends exchange.draft(), as the endpoint left it: whether it is a payload that can be carried. Interceptors see it
    /// after that.
    virtual Result<void> finish(Exchange&) const { return ok(); }
    /// Payload to envelope to bytes, into an answer that is as it was made; for what finish() has found good.
    virtual Result<void> write(Exchange& exchange, WireAnswer& answer) const = 0;
    /// The answer where there is none to write: the exchange ended with Done, or its in-only message was accepted. Must
    /// not look at exchange.draft(), which the endpoint may be writing.
    virtual WireAnswer done(const Exchange&) const {
        WireAnswer answer;
        answer.status = 202;
        return answer;
    }
    /// A fault in the binding's terms, into `memory`. `exchange` is null when the request did not get that far; at a
    /// timeout its holder is still at work on it: request(), variant and operation() may be looked at, nothing else.
    virtual WireAnswer writeFault(const RequestHead& head, const Exchange* exchange, const Fault& fault,
                                  std::string_view requestId, Buffer memory) const = 0;
};

}  // namespace postbus::core
