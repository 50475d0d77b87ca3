#pragma once

#include <postbus/fields.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/clock.hpp"
#include "base/units.hpp"

namespace postbus::http {

struct BackendTimes {
    milliseconds connect{5'000};
    milliseconds firstByte{30'000};
    milliseconds total{0};
    milliseconds idle{30'000};

    static constexpr auto fields() {
        return std::tuple{
            field("connect", &BackendTimes::connect, "Until a connection stands, its name's resolution included."),
            field("first-byte", &BackendTimes::firstByte,
                  "From the request to the first byte of the answer; also how long sending or receiving may stand "
                  "still later on."),
            field(
                "total", &BackendTimes::total,
                "From the start to the last byte of the answer. 0s: the exchange's own limit until the answer begins, "
                "none for a body that passes through."),
            field("idle", &BackendTimes::idle,
                  "How long a connection is kept for the next request; shorter if the backend says so."),
        };
    }
};

struct BackendCredentials {
    std::string user, password, passwordFile, bearerFile;

    static constexpr auto fields() {
        return std::tuple{
            field("user", &BackendCredentials::user, "User name for Basic authentication."),
            field("password", &BackendCredentials::password, "Its password; rather use password-file."),
            field("password-file", &BackendCredentials::passwordFile,
                  "File with the password, without its last line end; read anew when it changes."),
            field("bearer-file", &BackendCredentials::bearerFile,
                  "File with a bearer token; read anew when it changes."),
        };
    }
};

struct BackendHeaders {
    std::optional<std::vector<std::string>> pass, answer;
    std::map<std::string, std::string> set;

    static constexpr auto fields() {
        return std::tuple{
            field("pass", &BackendHeaders::pass,
                  "Header fields of the caller's that the backend gets; default: all but those of one connection. "
                  "Content-Type and SOAPAction always go."),
            field("answer", &BackendHeaders::answer,
                  "Header fields of the backend's that the caller gets; default: likewise all. Content-Type always "
                  "goes."),
            field("set", &BackendHeaders::set, "Header fields that every request gets, instead of the caller's."),
        };
    }
};

/// How a remote service is called. What the URL itself says stands in `to:`.
struct BackendConfig {
    BackendTimes times;
    BackendCredentials credentials;
    BackendHeaders headers;
    std::string proxy;
    std::uint32_t redirects = 0;
    std::uint32_t keep = 64;
    ByteSize answer = 64_MiB;
    std::string wsdl;

    static constexpr auto fields() {
        return std::tuple{
            field("times", &BackendConfig::times, "Time limits."),
            field("credentials", &BackendConfig::credentials, "How the bus proves who it is."),
            field("headers", &BackendConfig::headers, "Header fields that go on."),
            field("proxy", &BackendConfig::proxy, "http://HOST:PORT of a forward proxy to go through; default: none."),
            field("redirects", &BackendConfig::redirects,
                  "Redirects that are followed within the same server, for GET and HEAD, and with status 307 and 308 "
                  "for every method. 0: they are answers like others."),
            field("keep", &BackendConfig::keep, "Connections at rest that each loop keeps."),
            field("answer", &BackendConfig::answer,
                  "Bytes of an answer that has to be held as a whole, after decoding (a fault, 502). One that passes "
                  "through to an HTTP caller has no limit."),
            field("wsdl", &BackendConfig::wsdl,
                  "URL of the WSDL, on the same server; default: the service's own with ?wsdl."),
        };
    }
};

}  // namespace postbus::http
