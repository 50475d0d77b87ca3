#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "transports/http/client/client_call.hpp"
#include "transports/http/client/resolver.hpp"

namespace postbus::http {

class Loop;

/// The connections of one loop to backends: those at work, and for each backend those that wait for the next request,
/// of which the last that became free is taken first. For its loop's thread.
class ClientPool {
public:
    ClientPool(Loop& loop, Resolver& resolver) : loop_(loop), resolver_(resolver) {}
    ~ClientPool();

    /// Sends it on its way; it is told of the outcome perhaps before this returns.
    void start(const std::shared_ptr<ClientCall>& call);
    /// Connections at work.
    std::size_t busy() const { return all_.size() - idle_; }
    /// Ends those at rest, and keeps none from now on.
    void retire();
    /// Ends those at work too: their calls fail.
    void abort(const Error& error);

    Loop& loop() { return loop_; }
    /// The time, as its loop knows it.
    TimePoint now() const;
    Resolver& resolver() { return resolver_; }

private:
    friend class ClientConnection;
    using Idle = std::vector<ClientConnection*>;

    void open(const std::shared_ptr<ClientCall>& call);
    void enter(std::shared_ptr<ClientConnection> connection);
    void leave(ClientConnection& connection);
    /// Whether it is kept.
    bool rest(ClientConnection& connection, const std::string& key, std::size_t most);
    void wake(ClientConnection& connection);

    Loop& loop_;
    Resolver& resolver_;
    std::vector<std::shared_ptr<ClientConnection>> all_;
    std::unordered_map<std::string, Idle> byBackend_;
    std::size_t idle_ = 0;
    bool retired_ = false;
};

}  // namespace postbus::http
