#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace postbus::cli {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
    std::string method;  ///< GET, or POST, which has a body
    std::string url;     ///< http://HOST[:PORT]/PATH
    HttpHeaders headers;
    std::string body;
};

struct HttpAnswer {
    int status = 0;
    std::string reason;
    HttpHeaders headers;
    std::string body;

    double connectMs = 0, firstByteMs = 0, totalMs = 0;  ///< since the beginning
    std::size_t sentBytes = 0;                           ///< of the body
    std::string header(const std::string& name) const;   ///< "" when there is none
};

/// One exchange over a connection of its own. The answer's body may have 64 MiB.
///
/// Error kinds: Invalid, a URL that is none of http; Unavailable, nobody could be reached; Timeout, not all of it came
/// within `timeout`; Internal, the connection broke or what came is no HTTP.
Result<HttpAnswer> httpExchange(const HttpRequest& request, std::chrono::milliseconds timeout);

/// Scheme, host and port of a URL, in lower case; "" when it has none. For telling whether two lead to one server.
std::string originOf(const std::string& url);

}  // namespace postbus::cli
