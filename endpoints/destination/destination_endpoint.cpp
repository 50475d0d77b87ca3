#include "endpoints/destination/destination_endpoint.hpp"

#include <utility>

#include "core/exchange/exchange_pool.hpp"
#include "endpoints/destination/destination_call.hpp"

namespace postbus::destination {
namespace {

wsdl::Operation operation(core::Pattern pattern) {
    wsdl::Operation any;
    any.name = "any";
    any.any = any.nonblocking = true;
    // In-only would let the caller go before the message is safe. The caller of this hop hears of a message that was
    // not taken; what becomes of it behind the queue it is not told either way.
    any.mep = static_cast<std::uint32_t>(pattern == core::Pattern::InOnly ? core::Pattern::RobustInOnly : pattern);
    return any;
}

}  // namespace

DestinationEndpoint::DestinationEndpoint(std::string name, const Destination& destination, const Sending& sending,
                                         soap::Version version, QueueClient& client)
    : DestinationEndpoint(std::move(name), addressOf(destination, sending), sending.pattern, version, client) {}

DestinationEndpoint::DestinationEndpoint(std::string name, queue::JmsUri uri, core::Pattern pattern,
                                         soap::Version version, QueueClient& client)
    : name_(std::move(name)),
      uri_(std::move(uri)),
      destination_{uri_.variant == queue::JmsUri::Variant::Topic, uri_.destination},
      address_(destination_.text()),
      pattern_(pattern),
      version_(version),
      client_(client) {
    contract_.name = name_;
    contract_.operations.push_back(operation(pattern_));
    for (std::size_t i = 0; i < each_.size(); ++i) each_[i] = operation(core::everyPattern[i]);
}

Result<const wsdl::Operation*> DestinationEndpoint::operationUnder(core::Pattern pattern) const {
    if (destination_.topic && pattern != core::Pattern::InOnly)
        return Error(Error::Kind::Unsupported, address_ + " is a topic: what is published there is out-only");
    return &each_[static_cast<std::size_t>(pattern) - 1];
}

core::Pattern DestinationEndpoint::patternOf(const wsdl::Operation& operation) const {
    if (&operation < each_.data() || &operation >= each_.data() + each_.size()) return pattern_;
    return core::everyPattern[static_cast<std::size_t>(&operation - each_.data())];
}

void DestinationEndpoint::process(core::ExchangePtr exchange) {
    core::Exchange& held = *exchange;
    if (!held.home().loop().here()) {  // by the route's own will, on a worker
        core::Exchange* const lent = exchange.release();
        return held.home().loop().post([self = shared_from_this(), lent] { self->process(core::ExchangePtr(lent)); });
    }
    const auto engine = client_.engine();
    if (!engine)
        return core::Exchange::fail(std::move(exchange),
                                    Error(Error::Kind::Unavailable, address_ + ": the queues are out of service"));
    DestinationCall::begin(shared_from_this(), engine, std::move(exchange));
}

}  // namespace postbus::destination
