#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "formats/wsdl/contract.hpp"
#include "formats/wsdl/template.hpp"
#include "transports/http/client/backend.hpp"
#include "transports/http/client/client_pool.hpp"

namespace postbus::remote {

/// The WSDL of a remote service with what it refers to on the same server, as we serve it: ready but for our address.
struct FetchedDocuments {
    wsdl::Template wsdl;
    std::map<std::string, wsdl::Template, std::less<>> beside;  ///< by the names they have at our address
    /// The same, each referring to the others by those names: `document` and `documents` of it, no more.
    wsdl::Contract contract;
};

/// Fetches a service's documents when they are asked for, and keeps them for a minute. What can't be fetched anew is
/// served for as long as the last good copy is there. Thread-safe.
class RemoteDocuments {
public:
    using Documents = std::shared_ptr<const FetchedDocuments>;
    using Then = std::function<void(Result<Documents>)>;

    /// At the URL that the configuration names, else at the backend's own with ?wsdl.
    explicit RemoteDocuments(std::shared_ptr<const http::Backend> backend) : backend_(std::move(backend)) {}

    /// `then` is called on the pool's loop, perhaps before this returns. `anew`: the caller wants no copy. `owner`
    /// keeps this alive meanwhile.
    void get(http::ClientPool& pool, bool anew, std::shared_ptr<void> owner, Then then);

private:
    void fetched(Result<Documents>& result);

    const std::shared_ptr<const http::Backend> backend_;
    std::mutex mutex_;
    Documents kept_;
    TimePoint keptUntil_{};
    bool fetching_ = false;
};

}  // namespace postbus::remote
