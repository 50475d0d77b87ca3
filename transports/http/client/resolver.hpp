#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "base/result.hpp"
#include "transports/http/listener/socket_address.hpp"

namespace postbus::http {

/// Finds the addresses of host names, on threads of its own: getaddrinfo(3) may take its time. What was found is kept
/// for a while. Thread-safe.
class Resolver {
public:
    using Addresses = std::vector<SocketAddress>;
    using Then = std::function<void(const Result<Addresses>&)>;

    Resolver();
    /// Does not wait for look-ups under way: nobody is told of them any more.
    ~Resolver();

    /// Calls `then` on `loop`, to which the caller belongs: at once where the host is an address or is known, else
    /// later.
    void find(const std::string& host, std::uint16_t port, Executor& loop, Then then);
    /// From now on nobody is told anything: loops may end.
    void stop();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace postbus::http
