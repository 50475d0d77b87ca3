#pragma once

#include <memory>
#include <string>
#include <vector>

#include "admin/management.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "transports/http/http_transport.hpp"

namespace postbus::admin {

/// The admin interface with a loop, workers and limits of its own: it answers when the bus is busy, starting or
/// draining.
///
/// start() and stop() from one thread.
class AdminServer {
public:
    struct Options {
        std::string token;
        std::string listen;      ///< HOST:PORT; empty: not over TCP
        std::string socket;      ///< path of the Unix socket; empty: none
        ByteSize body = 64_MiB;  ///< of one request at most
    };
    /// Borrows `management`.
    AdminServer(Management& management, Options options);
    ~AdminServer();

    /// Errors name the address. A Unix socket that can't be opened is told in the log and done without, unless it is
    /// the only way in.
    Result<void> start();
    void stop(TimePoint deadline);

    std::vector<http::ListenerStatus> listeners() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace postbus::admin
