#pragma once

#include <postbus/fields.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/clock.hpp"
#include "base/units.hpp"

namespace postbus::http {

/// What one listener lets a caller take. Each is checked on every request; 0 stands for no limit where that makes
/// sense.
struct HttpLimits {
    std::uint32_t connections = 10'000;
    ByteSize headers = 32_KiB;
    std::uint32_t headerCount = 100;
    ByteSize body = 16_MiB;
    milliseconds idle{60'000};
    milliseconds headerTime{10'000};
    milliseconds bodyTime{30'000};
    milliseconds exchangeTime{30'000};

    static constexpr auto fields() {
        return std::tuple{
            field("connections", &HttpLimits::connections,
                  "Connections at once; further ones are answered 503 and closed."),
            field("headers", &HttpLimits::headers, "Bytes of request line and header fields together (431, 414)."),
            field("header-count", &HttpLimits::headerCount, "Header fields of one request (431)."),
            field("body", &HttpLimits::body, "Bytes of a request's body, after decoding (413)."),
            field("idle", &HttpLimits::idle, "How long a connection may rest between requests."),
            field("header-time", &HttpLimits::headerTime, "From a request's first byte to the end of its head (408)."),
            field("body-time", &HttpLimits::bodyTime, "From the end of the head to the end of the body (408)."),
            field("exchange-time", &HttpLimits::exchangeTime, "From the whole request to the answer (a Server fault)."),
        };
    }
};

struct HttpListenerConfig {
    std::string address;  ///< HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH; port 0 takes a free one
    std::string name;     ///< empty: the address
    std::optional<HttpLimits> limits;
    std::vector<std::string> trustedProxies, allow, deny;

    /// A plain string stands for this field.
    static constexpr std::string_view shorthand = "address";
    static constexpr auto fields() {
        return std::tuple{
            field("address", &HttpListenerConfig::address,
                  "HOST:PORT, [IPV6]:PORT, *:PORT or unix:PATH; port 0 takes a free one."),
            field("name", &HttpListenerConfig::name,
                  "Name by which endpoints choose this listener; default: its address."),
            field("limits", &HttpListenerConfig::limits,
                  "Limits of this listener alone; what is left out is the transport's."),
            field("trusted-proxies", &HttpListenerConfig::trustedProxies,
                  "Networks (CIDR) whose X-Forwarded-Proto, -Host, -Port and -For are believed."),
            field("allow", &HttpListenerConfig::allow, "Networks (CIDR) that may connect; default: all."),
            field("deny", &HttpListenerConfig::deny, "Networks (CIDR) that may not, asked first."),
        };
    }
};

struct HttpConfig {
    std::vector<HttpListenerConfig> listen{
        {.address = "127.0.0.1:8181", .name = {}, .limits = {}, .trustedProxies = {}, .allow = {}, .deny = {}}};
    HttpLimits limits;
    std::uint32_t threads = 0;

    static constexpr auto fields() {
        return std::tuple{
            field("listen", &HttpConfig::listen, "Addresses to listen on."),
            field("limits", &HttpConfig::limits, "Limits of every listener; one may have some of its own."),
            field("threads", &HttpConfig::threads,
                  "Loops; 0 takes one per core the daemon may use. A change needs a restart."),
        };
    }
};

}  // namespace postbus::http
