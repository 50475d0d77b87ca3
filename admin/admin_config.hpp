#pragma once

#include <postbus/fields.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace postbus::admin {

struct AdminConfig {
    std::string listen = "127.0.0.1:8182";
    std::vector<std::string> hosts;

    static constexpr auto fields() {
        return std::tuple{
            field("listen", &AdminConfig::listen,
                  "HOST:PORT of the admin interface over TCP; port 0 takes a free one; none: the Unix socket alone."),
            field("hosts", &AdminConfig::hosts,
                  "Host names that callers over TCP may use beside localhost, 127.0.0.1 and [::1]."),
        };
    }
};

}  // namespace postbus::admin
