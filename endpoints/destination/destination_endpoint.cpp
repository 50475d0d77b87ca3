#include "endpoints/destination/destination_endpoint.hpp"

#include <utility>

#include "core/exchange/exchange_pool.hpp"
#include "endpoints/destination/destination_call.hpp"

namespace postbus::destination {

DestinationEndpoint::DestinationEndpoint(std::string name, Destination destination, const Sending& sending,
                                         soap::Version version, QueueClient& client)
    : name_(std::move(name)),
      address_(destination.text()),
      destination_(std::move(destination)),
      uri_(addressOf(destination_, sending)),
      pattern_(sending.pattern),
      version_(version),
      client_(client) {
    contract_.name = name_;
    wsdl::Operation& any = contract_.operations.emplace_back();
    any.name = "any";
    any.any = any.nonblocking = true;
    // In-only would let the caller go before the message is safe. The caller of this hop hears of a message that was
    // not taken; what becomes of it behind the queue it is not told either way.
    any.mep = static_cast<std::uint32_t>(pattern_ == core::Pattern::InOnly ? core::Pattern::RobustInOnly : pattern_);
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
