#pragma once

#include <memory>
#include <string>

#include "admin/admin_config.hpp"
#include "admin/management.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "transports/http/http_transport.hpp"

namespace postbus::admin {

/// The admin interface with a loop, workers and limits of its own: it answers when the bus is busy, starting or
/// draining.
///
/// prepare(), apply() and stop() from one thread at a time.
class AdminServer {
public:
    struct Options {
        std::string token;
        std::string socket;  ///< path of the Unix socket; empty: none
    };
    AdminServer(Management& management, Options options);
    ~AdminServer();

    /// As with http::HttpTransport: opens what `config` names, changes nothing yet.
    Result<http::PreparationPtr> prepare(const AdminConfig& config);
    void apply(http::PreparationPtr preparation, const AdminConfig& config);
    void stop(TimePoint deadline);

    std::vector<http::ListenerStatus> listeners() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace postbus::admin
