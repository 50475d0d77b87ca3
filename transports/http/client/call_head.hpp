#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/result.hpp"
#include "core/message/headers.hpp"
#include "transports/http/client/backend.hpp"

namespace postbus::http {

/// Header fields of Postbus's own. They let a message that comes back over HTTP end as it would inside of the bus: with
/// the exchanges that it has been through, and with the time that its first caller still waits.
inline constexpr std::string_view hopsField = "Postbus-Hops";
inline constexpr std::string_view timeField = "Postbus-Timeout";  ///< milliseconds

/// Whether a field concerns one connection, or its message's framing, and so never goes on (RFC 9110 section 7.6.1); or
/// is written anew for each hop.
bool concernsOneHop(std::string_view name);

/// The fields that a message's own Connection fields, of which there may be several, declare to end here (RFC 9110
/// section 7.6.1). Views of that message's bytes; the memory is used again.
class ConnectionOptions {
public:
    void read(const core::Headers& headers);
    /// In any case of letters.
    bool contain(std::string_view name) const;

private:
    std::vector<std::string_view> lists_;
};

/// Writes the head of a request to a backend, into a buffer.
class CallHead {
public:
    explicit CallHead(Buffer& out) : out_(out) {}

    /// Request line, Host, credentials, and the fields that the configuration sets. `query` is added to the
    /// backend's own. An error when credentials can't be read.
    Result<void> begin(std::string_view method, const Backend& backend, std::string_view query);
    /// One that could break out of its line is left out (CWE-113).
    void field(std::string_view name, std::string_view value);
    void number(std::string_view name, std::uint64_t value);
    /// With our Via behind those that came (RFC 9110 section 7.6.3).
    void end() { out_.append("Via: 1.1 postbus\r\n\r\n"); }

private:
    Buffer& out_;
};

}  // namespace postbus::http
