#pragma once

#include <postbus/abi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/lane_counter.hpp"
#include "base/result.hpp"
#include "core/bus.hpp"
#include "core/endpoint/endpoint.hpp"
#include "formats/wsdl/contract.hpp"
#include "plugins/messaging/client.hpp"

/// The bus's side of one service, as plugins name it.
struct postbus_service_context {};

namespace postbus::deployer {

/// What a service needs to know of the plugin it is part of.
struct Origin {
    std::string plugin, version;
    std::string document;                                       ///< the WSDL that came with it, or empty
    std::map<std::string, std::string, std::less<>> documents;  ///< what that refers to, by name
    core::Bus* bus = nullptr;                                   ///< where its services call others
    messaging::Hub* queues = nullptr;                           ///< what they have of the queues
};

/// A service of a plugin, as an endpoint of the bus.
///
/// start(), stop() and destroy() belong to the deployer's thread, process() to any. Lives in its Generation, which
/// outlives every call.
class Service final : public core::Endpoint, public messaging::Owner, public postbus_service_context {
public:
    /// `table` and `origin` must outlive it; `inside` counts the threads that are in the plugin's code.
    Service(const postbus_service& table, const Origin& origin, LaneCounter& inside);

    /// Creates and starts it; on an error there is nothing to stop.
    Result<void> start();
    /// Once, after start() went well and the last call is over.
    void stop();

    void process(core::ExchangePtr exchange) override;
    const wsdl::Contract& contract() const override { return contract_; }
    std::string_view name() const override { return contract_.name; }
    std::string_view version() const override { return version_; }
    std::string_view origin() const override { return origin_.plugin; }
    const std::string& path() const { return path_; }

    // For the host table.
    int define(const postbus_operation& operation);
    void log(int level, std::string_view text) const;
    core::Bus* bus() const { return origin_.bus; }
    /// A request of the plugin's to another endpoint is under way: its code is needed until it has been told of the
    /// outcome.
    void enter() override { inside_.enterForAll(); }
    void leave() override { inside_.leaveForAll(); }
    void misbehaved(const char* where) const override;
    /// Null where there are no queues.
    messaging::Client* queues() { return queues_ ? &*queues_ : nullptr; }
    static Service& of(postbus_service_context* context) { return *static_cast<Service*>(context); }

private:
    Result<void> create();
    int callStart();
    std::string whyNotStarted(int status) const;
    void leaveQueues();
    void destroy();

    const postbus_service& table_;
    const Origin& origin_;
    LaneCounter& inside_;
    wsdl::Contract contract_;
    std::string version_, path_;
    std::string problem_;  // of define()
    std::optional<messaging::Client> queues_;
    void* self_ = nullptr;
    bool starting_ = false;

    mutable std::mutex complaining_;
    std::thread::id starter_;        // whose errors say why start() fails
    mutable std::string complaint_;  // the last of them
};

}  // namespace postbus::deployer
