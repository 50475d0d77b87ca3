#include "server/composition/outside.hpp"

#include <optional>
#include <utility>

#include "config/equal.hpp"
#include "endpoints/callback/callback_addresses.hpp"
#include "endpoints/callback/nobody.hpp"
#include "endpoints/destination/destination_endpoint.hpp"
#include "endpoints/remote/remote_endpoint.hpp"
#include "transports/http/client/backend.hpp"

namespace postbus::server {
namespace {

http::BackendConfig backendOf(const EndpointConfig& config) { return config.backend.value_or(http::BackendConfig{}); }
soap::SoapConfig soapOf(const EndpointConfig& config) { return config.soap.value_or(soap::SoapConfig{}); }

/// In what concerns the way out.
bool alike(const EndpointConfig& a, const EndpointConfig& b) {
    return a.to == b.to && a.callbacks == b.callbacks && config::equal(backendOf(a), backendOf(b)) &&
           sendingOf(a) == sendingOf(b) && config::equal(soapOf(a), soapOf(b)) &&
           config::equal(a.interceptors, b.interceptors);
}

}  // namespace

const Outside::Place* Outside::at(const std::string& name, const EndpointConfig& config) {
    const auto known = known_.find(name);
    if (known != known_.end() && alike(known->second.config, config)) return &known->second.place;
    if (!client_ || !queueClient_) return nullptr;
    Known made;
    made.config = config;
    made.place.service.name = name;
    made.place.service.endpoint = makeEndpoint(name, config);
    if (!made.place.service.endpoint) return nullptr;
    if (!config.callbacks.empty())
        made.place.callbacks = std::make_shared<callback::CallbackAddresses>(
            name, config.callbacks,
            callback::Manner{backendOf(config), sendingOf(config), soapOf(config).versions.front()}, *client_,
            *queueClient_);
    return &known_.insert_or_assign(name, std::move(made)).first->second.place;
}

std::shared_ptr<core::Endpoint> Outside::makeEndpoint(const std::string& name, const EndpointConfig& config) const {
    if (config.to.empty()) return std::make_shared<callback::Nobody>(name);
    const soap::Version version = soapOf(config).versions.front();
    if (config.toDestination()) {
        const auto destination = destination::Destination::parse(config.to);
        if (!destination) return nullptr;
        return std::make_shared<destination::DestinationEndpoint>(name, *destination, sendingOf(config), version,
                                                                  *queueClient_);
    }
    auto url = http::parseHttpUrl(config.to);
    if (!url) return nullptr;
    auto backend = http::Backend::make(std::move(*url), backendOf(config));
    if (!backend) return nullptr;
    std::optional<validate::ValidateConfig> check;
    for (const InterceptorConfig& each : config.interceptors)
        if (each.validate) check = each.validate;
    return std::make_shared<remote::RemoteEndpoint>(name, std::move(*backend), version, *client_, check);
}

void Outside::keep(const std::map<std::string, EndpointConfig>& endpoints) {
    std::erase_if(known_, [&](const auto& each) {
        const auto still = endpoints.find(each.first);
        return still == endpoints.end() || !still->second.leadsOut();
    });
}

}  // namespace postbus::server
