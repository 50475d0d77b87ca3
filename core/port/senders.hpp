#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"

namespace postbus::core {

/// A message that the bus sends on its own account: an answer to the address that its caller named, say.
struct OutboundMessage {
    std::string contentType;
    Buffer body;
    /// Further fields of the transport, as SOAPAction.
    std::vector<std::pair<std::string, std::string>> headers;
    std::string requestId;  ///< of the exchange that it comes from, or empty
    std::uint8_t hops = 0;  ///< of that exchange: the receiver counts on
};

/// What the other side said to it.
struct OutboundReply {
    int status = 0;  ///< HTTP's, or 0 where the transport has none
    std::string contentType;
    std::string body;  ///< perhaps cut: for a person to read
};

/// Takes messages to addresses of one URI scheme: a transport's other half.
class Sender {
public:
    using Sent = std::function<void(Result<OutboundReply>)>;

    virtual ~Sender() = default;
    /// What speaks against this address, by its form alone: an error that names it.
    virtual Result<void> check(std::string_view uri) const = 0;
    /// Sends; at `deadline` it is given up. `sent` is called exactly once, on any thread, perhaps before this returns:
    /// with the reply of the one who took the message, or with the Error that says why nobody did, which names the
    /// address. It must not throw or wait. From any thread; never waits.
    virtual void send(std::string_view uri, OutboundMessage message, TimePoint deadline, Sent sent) = 0;
};

/// The senders by scheme. Filled while the daemon starts, read by anyone from then on.
class Senders {
public:
    /// `sender` outlives this. One for each scheme, in small letters: "http".
    void add(std::string scheme, Sender& sender) { byScheme_[std::move(scheme)] = &sender; }
    /// By the URI's scheme, in any case; null when there is none for it.
    Sender* find(std::string_view uri) const;

private:
    std::map<std::string, Sender*, std::less<>> byScheme_;
};

}  // namespace postbus::core
