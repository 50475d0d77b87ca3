#pragma once

#include <array>
#include <memory>
#include <string>

#include "bindings/soap/soap_binding.hpp"
#include "core/endpoint/endpoint.hpp"
#include "endpoints/destination/destination.hpp"
#include "endpoints/destination/queue_client.hpp"

namespace postbus::destination {

/// A queue or a topic as an endpoint: messages that come to it are sent there, with the properties of SOAP over JMS.
///
/// What the pattern says of the way back holds: under in-only the exchange is done when the destination has the message
/// for good, and ends in a fault when it does not take it. Under the others the message names a queue for the answer;
/// under in-out that, or a fault, has to come before the exchange's deadline. Under robust-in-only a fault, and under
/// in-opt-out anything, may come until then; if nothing does the exchange is done.
///
/// A message that comes as bytes goes as it is, without a look inside; one from inside of the bus is put into an
/// envelope, and the answer's is opened. A fault that comes back is read and told as a fault by every way in.
/// Thread-safe.
class DestinationEndpoint final : public core::Endpoint, public std::enable_shared_from_this<DestinationEndpoint> {
public:
    DestinationEndpoint(std::string name, const Destination& destination, const Sending& sending, soap::Version version,
                        QueueClient& client);
    /// The same for messages with all that a jms: address asks for, under `pattern`.
    DestinationEndpoint(std::string name, queue::JmsUri uri, core::Pattern pattern, soap::Version version,
                        QueueClient& client);

    void process(core::ExchangePtr exchange) override;
    const wsdl::Contract& contract() const override { return contract_; }
    Result<const wsdl::Operation*> operationUnder(core::Pattern pattern) const override;
    std::string_view name() const override { return name_; }
    std::string_view origin() const override { return address_; }

    /// What its binding names for each request.
    const wsdl::Operation& message() const { return contract_.operations.front(); }

    const Destination& destination() const { return destination_; }
    const queue::JmsUri& uri() const { return uri_; }
    /// Of an exchange that is for one of its operations.
    core::Pattern patternOf(const wsdl::Operation& operation) const;
    soap::Version soapVersion() const { return version_; }
    QueueClient& client() { return client_; }

private:
    const std::string name_;
    const queue::JmsUri uri_;
    const Destination destination_;
    const std::string address_;
    const core::Pattern pattern_;
    const soap::Version version_;
    QueueClient& client_;
    wsdl::Contract contract_;
    std::array<wsdl::Operation, 4> each_;  ///< by pattern, for services that speak first
};

/// What stands at the path of such an endpoint: takes POST of any media type, whole. A fault of the bus's own, and one
/// that came back, is told in the terms of `terms`.
std::shared_ptr<const core::Binding> makeDestinationBinding(const DestinationEndpoint& endpoint,
                                                            std::shared_ptr<const core::Binding> terms);

}  // namespace postbus::destination
