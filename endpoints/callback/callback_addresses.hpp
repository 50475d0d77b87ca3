#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/soap/soap_binding.hpp"
#include "core/endpoint/endpoint.hpp"
#include "core/routing/callbacks.hpp"
#include "endpoints/destination/destination.hpp"
#include "endpoints/destination/queue_client.hpp"
#include "interceptors/addressing/allowed_addresses.hpp"
#include "transports/http/client/backend_config.hpp"
#include "transports/http/client/http_client.hpp"

namespace postbus::callback {

/// How messages reach an address that only their sender knows.
struct Manner {
    http::BackendConfig backend;   ///< of http:// addresses
    destination::Sending sending;  ///< of jms:queue: addresses, where they themselves are silent
    soap::Version version = soap::Version::Soap11;
};

using EndpointPtr = std::shared_ptr<core::Endpoint>;

/// The callback addresses that one service's messages of one name may go to: http://HOST:PORT/PATH, where envelopes are
/// posted to, and jms:queue:NAME. What was used lately is kept ready.
///
/// Thread-safe. The clients outlive it.
class CallbackAddresses final : public core::Callbacks {
public:
    /// `name` is what the messages' endpoint is called; `patterns` are good by AllowedAddresses::checkPattern().
    CallbackAddresses(std::string name, const std::vector<std::string>& patterns, Manner manner,
                      http::HttpClient& client, destination::QueueClient& queueClient);

    Result<EndpointPtr> endpointAt(std::string_view address) override;

private:
    Result<EndpointPtr> make(std::string_view address) const;
    Result<EndpointPtr> makeQueue(std::string_view address) const;
    Result<EndpointPtr> makeRemote(std::string_view address) const;

    struct Known {
        EndpointPtr endpoint;
        std::uint64_t used;
    };

    const std::string name_;
    const addressing::AllowedAddresses allowed_;
    const Manner manner_;
    http::HttpClient& client_;
    destination::QueueClient& queueClient_;
    std::mutex mutex_;  // for what follows
    std::map<std::string, Known, std::less<>> known_;
    std::uint64_t uses_ = 0;
};

}  // namespace postbus::callback
