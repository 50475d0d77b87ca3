#include "endpoints/callback/callback_addresses.hpp"

#include <algorithm>
#include <utility>

#include "core/message/headers.hpp"
#include "endpoints/destination/destination_endpoint.hpp"
#include "endpoints/remote/remote_endpoint.hpp"
#include "transports/http/client/backend.hpp"
#include "transports/queue/jms_uri.hpp"

namespace postbus::callback {
namespace {

constexpr std::size_t kept = 256;

}  // namespace

CallbackAddresses::CallbackAddresses(std::string name, const std::vector<std::string>& patterns, Manner manner,
                                     http::HttpClient& client, destination::QueueClient& queueClient)
    : name_(std::move(name)),
      allowed_(patterns),
      manner_(std::move(manner)),
      client_(client),
      queueClient_(queueClient) {}

Result<EndpointPtr> CallbackAddresses::endpointAt(std::string_view address) {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(address); known != known_.end()) {
        known->second.used = ++uses_;
        return known->second.endpoint;
    }
    if (!allowed_.has(address))
        return Error(Error::Kind::NotFound,
                     "the configuration does not let it go to " + std::string(address) + ": list it in addresses");
    auto made = make(address);
    if (!made) return made;
    if (known_.size() == kept)
        known_.erase(std::min_element(known_.begin(), known_.end(),
                                      [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
    known_.emplace(address, Known{*made, ++uses_});
    return made;
}

Result<EndpointPtr> CallbackAddresses::make(std::string_view address) const {
    return core::sameName(address.substr(0, address.find(':')), "http") ? makeRemote(address) : makeQueue(address);
}

Result<EndpointPtr> CallbackAddresses::makeRemote(std::string_view address) const {
    auto url = http::parseHttpUrl(address);
    if (!url) return std::move(url).error().in(address);
    auto backend = http::Backend::make(std::move(*url), manner_.backend);
    if (!backend) return std::move(backend).error().in(address);
    return EndpointPtr(std::make_shared<remote::RemoteEndpoint>(name_, std::move(*backend), manner_.version, client_));
}

Result<EndpointPtr> CallbackAddresses::makeQueue(std::string_view address) const {
    auto uri = queue::JmsUri::parse(address);
    if (!uri) return std::move(uri).error().in(address);
    // What the address says of its messages holds; insert() leaves it.
    const auto usual = destination::addressOf({false, uri->destination}, manner_.sending);
    uri->parameters.insert(usual.parameters.begin(), usual.parameters.end());
    return EndpointPtr(std::make_shared<destination::DestinationEndpoint>(name_, std::move(*uri), core::Pattern::InOut,
                                                                          manner_.version, queueClient_));
}

}  // namespace postbus::callback
