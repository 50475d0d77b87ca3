#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/bus.hpp"
#include "transports/http/client/http_client.hpp"
#include "transports/http/http_config.hpp"

namespace postbus::http {

struct ListenerStatus {
    std::string name;
    std::string address;  ///< as bound: with the real port
    std::uint64_t connections = 0;
};

struct TransportFigures {
    std::uint64_t accepted = 0, requests = 0, refused = 0;
    std::int64_t connections = 0;
};

/// Sockets that are open but do not accept yet, and the settings that go with them. Dropped: they close again.
class Preparation;
struct DropPreparation {
    void operator()(Preparation* preparation) const;
};
using PreparationPtr = std::unique_ptr<Preparation, DropPreparation>;

/// HTTP/1.1 (RFC 9110, RFC 9112): loops, listeners, connections; and on the same loops the calls to others.
///
/// prepare(), apply() and stop() from one thread at a time; figures and listeners() from any. Loops start with the
/// object and hold the bus's exchanges; the object must be stopped before it is destroyed.
class HttpTransport {
public:
    /// `threads` 0: one per core the process may use. `name` is for threads and the log: "http", "admin".
    HttpTransport(core::Bus& bus, std::string name, unsigned threads);
    ~HttpTransport();

    /// Opens the listeners that `config` names and that are not open yet. Nothing changes before apply(). Errors name
    /// the address and the reason.
    Result<PreparationPtr> prepare(const HttpConfig& config);
    /// From now on: new listeners accept, new limits hold for the next request of every connection, listeners no longer
    /// named accept their backlog and close, their connections end after the request under way.
    void apply(PreparationPtr preparation);

    /// Stops listening (the backlog is accepted and answered), answers what was accepted with Connection: close, then
    /// ends the loops. At `deadline` exchanges still open get a Server fault 503. Returns how many those were.
    std::size_t stop(TimePoint deadline);

    /// For calls to backends. After stop() it takes none.
    HttpClient& client();
    /// For messages to addresses, http://...; likewise.
    core::Sender& sender();

    std::vector<ListenerStatus> listeners() const;
    TransportFigures figures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace postbus::http
